// Creates the context of one command from the system and the flags. Only this file knows all concrete parts.

import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "./api/request.ts";
import { type AuthHeaderProvider, createStaticAuthHeaderProvider } from "./auth/credentials.ts";
import type { LoginPrefix } from "./auth/environment.ts";
import type { Journal } from "./changes/journal.ts";
import { getSelectedProfile, openConfigFile } from "./config/config-file.ts";
import { findFolders } from "./config/folders.ts";
import { addCallScope } from "./config/hint-commands.ts";
import { addressSource, isSandboxEnabled, resolveOtherProfile, resolveSettings, type SettingsOverride } from "./config/resolve.ts";
import type { Settings } from "./config/settings.ts";
import type { CommandLine, Context, Env, OpenContext, System } from "./context.ts";
import { CalError, messageOf, usageError } from "./errors.ts";
import type { Transport } from "./http/transport.ts";
import type { HttpConnectionOptions } from "./http/undici.ts";
import type { ServerProfileName } from "./model/server-profiles.ts";
import { once } from "./once.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/server.ts";
import type { Output } from "./terminal/io.ts";
import { createProgress, shouldShowProgress } from "./terminal/progress.ts";
import { mapPromptText, type Prompt, wrapPromptCalls } from "./terminal/prompt.ts";
import { resolveStyle } from "./terminal/style.ts";
import { replaceCommands, restoreSpaces, sanitizeLine, unbreakable } from "./text.ts";

declare const CAL_VERSION: string;

/** What a command shares with another one that runs within it. */
type SharedParts = Pick<Context, "settings" | "configFile" | "transport" | "credentialStore" | "tokens">;

export function createContext(system: System, line: CommandLine, shared?: SharedParts): OpenContext {
  const { argv, globals: typed, flags, defaults = {} } = line;
  const isPlanned = flags["plan-out"] !== undefined;
  const globals = isPlanned ? { ...typed, "dry-run": true } : typed;
  const { env, clock, machine } = system;
  const folders = findFolders({ env, home: machine.home, platform: machine.platform });
  const sandboxFile = join(folders.state, "sandbox.ndjson");
  const closeCallbacks: (() => Promise<void>)[] = [];
  const quiet = globals["quiet"] === true;
  const showsProgress = shouldShowProgress(system.io.stderr.isTTY, env, quiet);
  const { io, progress, suspendDuring, end } = createProgress(system.io, { now: clock.now, every: machine.startInterval }, showsProgress);
  machine.atSignal(end);
  const { stderrFailed, holdMessages, printHeldMessages, ...messages } = createStderrWriter(io.stderr, quiet, (command) =>
    addCallScope(command, { globals, env }),
  );

  const embedded = createSandboxManager(sandboxFile, { now: clock.now, env, notice: messages.notice, closeCallbacks });
  const configFile = once(async () => openConfigFile(folders.config, { sleep: clock.sleep, atSignal: machine.atSignal }));
  const readSources = async () => {
    const file = await configFile();
    const sources = { globals: { ...flags, ...globals }, env, data: await file.read(), path: file.path, defaults };
    return {
      ...sources,
      get systemZone() {
        return machine.zone;
      },
    };
  };
  const settings = once(async () => {
    const sources = await readSources();
    const override = isSandboxEnabled(sources) ? { override: createSandboxOverride(await embedded.getSharedSandbox()) } : {};
    return resolveSettings(Object.assign(sources, override, { allowMissingProfile: true }));
  });
  const { withStoreErrors } = embedded;
  const credentialStore = once(async () => {
    const keychain = {
      get program() {
        return machine.keychainProgram;
      },
      env,
      notice: messages.notice,
    };
    const { openCredentialStore } = await import("./auth/credential-store.ts");
    return openCredentialStore({ folder: folders.state, clock, keychain, atSignal: machine.atSignal });
  });
  const base = { ...system, ...messages, io, progress, globals, folders, sandboxFile, configFile, credentialStore, ...shared };
  const openStore = async () => {
    const { keep, close } = (await import("./changes/value-store.ts")).createValueStore(folders.state);
    closeCallbacks.push(async () => close());
    return keep;
  };
  const openSite = (itsSettings: () => Promise<Settings>, loginPrefix: LoginPrefix, parts?: SharedParts) => {
    const transport = parts?.transport ?? once(async () => openTransport(base, await itsSettings(), withStoreErrors, closeCallbacks));
    const site = { ...base, settings: itsSettings, transport };
    const tokens = parts?.tokens ?? once(() => openTokens(site, loginPrefix, async () => (await embedded.getSharedSandbox()).token));
    let journal: Promise<Journal> | undefined;
    const openJournal = (undoes?: string) => {
      journal ??= itsSettings().then((found) =>
        createCommandJournal(base, found, { argv, undoes, closeCallbacks, ...(isPlanned && { openStore }) }),
      );
      return journal;
    };
    return { settings: itsSettings, transport, tokens, client: once(() => openClient({ ...site, tokens })), journal: openJournal };
  };
  const first = openSite(shared?.settings ?? settings, "CAL_", shared);
  const context: OpenContext = {
    ...base,
    ...first,
    openCommand: (inner, itsSystem, itsSettings) =>
      createContext(itsSystem, inner, {
        configFile: base.configFile,
        transport: first.transport,
        credentialStore: base.credentialStore,
        tokens: first.tokens,
        settings: async () => itsSettings,
      }),
    openOtherSite: async (profile) => {
      const found = resolveOtherProfile(await readSources(), profile);
      return {
        ...context,
        ...openSite(
          once(async () => found),
          "CAL_TO_",
        ),
      };
    },
    prompt: async () =>
      wrapPromptCalls(
        mapPromptText(await openPrompt({ ...base, settings: first.settings }), await createQuestionWrapper(io.stderr)),
        suspendDuring,
      ),
    openStore,
    startSandbox: embedded.start,
    resetSandbox: embedded.reset,
    deleteSecrets: async (profile) => {
      const { wasFound, cleanupError } = await (await credentialStore()).remove(profile);
      if (cleanupError !== undefined) await messages.warn(`secrets of an earlier login could not be removed: ${cleanupError.message}`);
      return wasFound && cleanupError === undefined;
    },
    openBrowser: machine.openBrowser,
    stderrFailed,
    page: async (write) => {
      if (!io.stdout.isTTY || io.stdout.rows === undefined || globals["no-pager"] === true || env["TERM"] === "dumb")
        return write(io.stdout);
      const { choosePager, writeThroughPager } = await import("./terminal/pager.ts");
      const open = async () => {
        // Help is also shown where the settings can't be read.
        const setting = (await settings().catch(() => undefined))?.pager?.value;
        const command = choosePager(setting, env["PAGER"], machine.platform);
        if (command === undefined) return undefined;
        end();
        holdMessages();
        return machine.openPager(command);
      };
      try {
        return await writeThroughPager(io.stdout, open, write);
      } finally {
        await printHeldMessages();
      }
    },
    close: async () => {
      end();
      for (const close of closeCallbacks.splice(0).reverse()) await close();
    },
  };
  return context;
}

/** The settings of an existing profile. A wrong profile name must not run without the rules of the profile, such as `read_only`. */
async function requireSiteSettings({ settings, configFile }: Pick<Context, "settings" | "configFile">) {
  const found = await settings();
  getSelectedProfile(await (await configFile()).read(), found.profile);
  if (found.sandbox.value && found.base_url?.origin !== "sandbox") {
    throw usageError(
      `two calendars are named: the sandbox (${found.sandbox.origin}) and another (${found.base_url?.origin})`,
      "give one of them; unset CAL_SANDBOX where it is set",
    );
  }
  return found;
}

type AuthContext = Pick<Context, "settings" | "configFile" | "env" | "clock" | "transport" | "credentialStore" | "warn">;

async function openTokens(
  context: AuthContext,
  loginPrefix: LoginPrefix,
  sandboxToken: () => Promise<string>,
): Promise<AuthHeaderProvider> {
  const { env, clock, transport, credentialStore, warn } = context;
  const settings = await requireSiteSettings(context);
  if (settings.sandbox.value)
    return createStaticAuthHeaderProvider({ header: "authorization", value: `Bearer ${await sandboxToken()}`, source: "sandbox" });
  const { createAuthHeaderProvider } = await import("./auth/session.ts");
  return createAuthHeaderProvider({ settings, env, loginPrefix, clock, transport, credentialStore, warn });
}

async function openClient(context: Pick<Context, "settings" | "configFile" | "globals" | "transport" | "tokens">): Promise<Client> {
  const [{ createClient }, { guard }, { loginHint }] = await Promise.all([
    import("./api/client.ts"),
    import("./http/transport.ts"),
    import("./auth/credentials.ts"),
  ]);
  const { base_url, read_only, profile } = await requireSiteSettings(context);
  if (base_url === undefined) {
    throw new CalError("local", `profile ${profile.value} names no site yet`, {
      code: "no-site",
      hint: [
        { text: "set one up", command: "cal init <site-url>" },
        "--base-url <url> names one for this call, CAL_BASE_URL one for a script",
        { text: "without a site", command: "cal --sandbox ..." },
      ],
    });
  }
  const rules = { readOnly: read_only.value, dryRun: context.globals["dry-run"] === true };
  const transport = guard(await context.transport(), rules);
  return createClient({
    transport,
    baseUrl: base_url.value,
    tokens: await context.tokens(),
    userAgent: `cal/${CAL_VERSION}`,
    loginHint: (source) => loginHint(profile.value, source),
  });
}

/** The journal is closed with the context. A read-only profile writes nothing. */
async function createCommandJournal(
  { globals, folders, clock, machine, warn }: Pick<Context, "globals" | "folders" | "clock" | "machine" | "warn">,
  settings: Settings,
  {
    argv,
    undoes,
    closeCallbacks,
    openStore,
  }: {
    readonly argv: readonly string[];
    readonly undoes: string | undefined;
    readonly closeCallbacks: (() => Promise<void>)[];
    /** Of --plan-out. */
    readonly openStore?: Context["openStore"];
  },
): Promise<Journal> {
  if (openStore !== undefined) return (await import("./changes/planning.ts")).createPlanCollector(await openStore());
  const [{ createJournal, noJournal }, { pruneJournals }, { createSiteId }, { createSettler }] = await Promise.all([
    import("./changes/journal.ts"),
    import("./changes/history.ts"),
    import("./changes/change.ts"),
    import("./changes/outcome.ts"),
  ]);
  if (globals["dry-run"] === true || settings.read_only.value || !settings.journal.value) return noJournal;
  const { now } = clock;
  const site = createSiteId(settings);
  const journal = createJournal({
    folder: folders.state,
    site,
    settle: createSettler(folders.state, site),
    profile: settings.profile.value,
    argv,
    undoes,
    now,
    startInterval: machine.startInterval,
    warn,
  });
  machine.atSignal(journal.interrupt);
  closeCallbacks.push(async () => {
    if (journal.close()) pruneJournals(folders.state, now());
  });
  return journal;
}

async function openPrompt({
  settings,
  io,
  env,
  globals,
  machine,
}: Pick<Context, "settings" | "io" | "env" | "globals" | "machine">): Promise<Prompt> {
  const { no_input } = await settings();
  if (no_input.value || !io.stdin.isTTY || !io.stderr.isTTY) {
    throw usageError("an answer is needed, and there is no terminal", "give it as a flag; --yes says yes to every question");
  }
  return machine.prompt(await resolveStyle(io.stderr, env, globals));
}

/** The transport without a login and without the guard: connections, debug output, https only, concurrency, retries, progress. */
async function openTransport(
  { env, clock, progress, say, notice, warn }: Pick<Context, "env" | "clock" | "progress" | "say" | "notice" | "warn">,
  settings: Settings,
  withStoreErrors: (send: Transport) => Transport,
  closeCallbacks: (() => Promise<void>)[],
): Promise<Transport> {
  const [{ createHttpConnection }, { limitConcurrency, withRetries }, { logRequests, requireHttps }] = await Promise.all([
    import("./http/undici.ts"),
    import("./http/retries.ts"),
    import("./http/transport.ts"),
  ]);
  const connection = createHttpConnection(await createHttpConnectionOptions(settings, env));
  // A page that was requested ahead and is not needed can be waiting for a retry. The program must not wait for it.
  const closed = new AbortController();
  closeCallbacks.push(connection.close, async () => closed.abort());
  const { concurrency, retries, debug, allow_http, insecure } = settings;
  if (insecure.value) await warn(`any certificate is accepted (${insecure.origin}): what is sent and answered is not safe`);
  const logged = debug.value ? logRequests(connection.send, clock, say) : connection.send;
  const send = settings.sandbox.value ? withStoreErrors(logged) : logged;
  const sendWithRetries = withRetries(limitConcurrency(requireHttps(send, allow_http.value), concurrency.value), {
    retries: retries.value,
    sleep: (ms) => clock.sleep(ms, closed.signal),
    now: clock.now,
    random: Math.random,
    notice,
  });
  return (request) =>
    progress.trackWork(
      () => `waiting for ${new URL(request.url).host}`,
      () => sendWithRetries(request),
    );
}

async function createHttpConnectionOptions(settings: Settings, env: Env): Promise<HttpConnectionOptions> {
  const proxies = {
    http: env["HTTP_PROXY"] ?? env["http_proxy"],
    https: env["HTTPS_PROXY"] ?? env["https_proxy"],
    no: env["NO_PROXY"] ?? env["no_proxy"],
  };
  const ca = settings.ca_file === undefined ? undefined : await readCertificates(settings.ca_file.value, env["NODE_EXTRA_CA_CERTS"]);
  return {
    timeout: settings.timeout.value,
    connections: settings.concurrency.value,
    insecure: settings.insecure.value,
    addressSource: (url) => addressSource(url, settings),
    ...(ca === undefined ? {} : { ca }),
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined && value !== "")),
  };
}

/** Node's own certificate authorities, and those of the file. */
async function readCertificates(path: string, extra: string | undefined): Promise<readonly string[]> {
  const [{ readFile }, { rootCertificates }] = await Promise.all([import("node:fs/promises"), import("node:tls")]);
  try {
    const files = extra === undefined || extra === "" ? [path] : [path, extra];
    return [...rootCertificates, ...(await Promise.all(files.map((file) => readFile(file, "utf8"))))];
  } catch (error) {
    throw new CalError("local", `the certificates of --ca-file can't be read: ${messageOf(error)}`, {
      code: "unreadable-file",
      hint: "--ca-file takes a file with certificates as PEM",
    });
  }
}

/** Writes messages to stderr, without control characters. A message that can't be written does not stop the command. */
function createStderrWriter(stderr: Output, quiet: boolean, adaptCommand: (command: string) => string) {
  let stderrFailed = false;
  let heldTexts: string[] | undefined;
  const print = (text: string): Promise<void> =>
    wrapForTerminal(sanitizeLines(replaceCommands(text, adaptCommand)), stderr)
      .then((lines) => stderr.write(`${lines}\n`))
      .catch(() => {
        stderrFailed = true;
      });
  const say = async (text: string): Promise<void> => {
    if (heldTexts === undefined) await print(text);
    else heldTexts.push(text);
  };
  /** While a pager has the terminal. */
  const holdMessages = () => {
    heldTexts = [];
  };
  const printHeldMessages = async () => {
    const texts = heldTexts ?? [];
    heldTexts = undefined;
    for (const text of texts) await print(text);
  };
  const notice = async (text: string | (() => string)): Promise<void> => {
    if (!quiet) await say(typeof text === "string" ? text : text());
  };
  const warn = (text: string): Promise<void> => say(`warning: ${text}`);
  return { say, notice, warn, holdMessages, printHeldMessages, stderrFailed: () => stderrFailed };
}

async function wrapForTerminal(text: string, { isTTY, columns }: Output): Promise<string> {
  if (!isTTY) return restoreSpaces(text);
  const { wrapMessage } = await import("./output/message.ts");
  return wrapMessage(text, columns);
}

/** Columns of the mark before a question and of the default answer after it. */
const promptMargin = 10;

async function createQuestionWrapper(terminal: Output): Promise<(text: string) => string> {
  const { wrapMessage } = await import("./output/message.ts");
  return (text) => wrapMessage(text, terminal.columns === undefined ? undefined : terminal.columns - promptMargin);
}

/** A message can contain text of a server. */
function sanitizeLines(text: string): string {
  return text.split("\n").map(sanitizeLine).join("\n");
}

// The sandbox within a command: started when it is needed, and ended with the command.

interface SandboxManager {
  /** Starts another one; `CAL_SANDBOX_SERVER` chooses the server profile where the options do not. */
  start(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** The one of `--sandbox`. */
  getSharedSandbox(): Promise<Sandbox>;
  /** Turns an answer of the shared sandbox into the error of its data file that caused it. */
  withStoreErrors(send: Transport): Transport;
  /** Replaces the data of a file by a new seed. */
  reset(file: string): Promise<void>;
}

interface SandboxManagerParts {
  readonly now: () => number;
  readonly env: Env;
  readonly notice: Context["notice"];
  readonly closeCallbacks: (() => Promise<void>)[];
}

function createSandboxManager(file: string, { now, env, notice, closeCallbacks }: SandboxManagerParts): SandboxManager {
  // The data file of earlier versions.
  const oldFile = join(dirname(file), "sandbox.sqlite");
  const today = () => new Date(now()).toISOString().slice(0, 10);
  const start = async (options: Partial<SandboxOptions>): Promise<Sandbox> => {
    const { startSandbox } = await import("./sandbox/server.ts");
    const startsAnew = options.file === undefined && !existsSync(file) && existsSync(oldFile);
    const sandbox = await startSandbox({ file, day: today(), now, serverProfile: getSandboxServerProfile(env), ...options });
    closeCallbacks.push(() => sandbox.close());
    if (startsAnew)
      await notice(
        `the sandbox starts again with new data: its old file ${oldFile} is not read any more; \`${unbreakable("cal sandbox reset")}\` removes it`,
      );
    return sandbox;
  };
  let storeError: CalError | undefined;
  return {
    start,
    getSharedSandbox: once(async () => {
      const { defaultSandboxPort } = await import("./sandbox/server.ts");
      const onStoreError = (error: CalError): void => {
        storeError = error;
      };
      // It listens on another port for each command. Its records name this one, so that their addresses stay the same.
      return start({ origin: `http://127.0.0.1:${defaultSandboxPort}`, onStoreError });
    }),
    withStoreErrors: (send) => async (request) => {
      const answer = await send(request);
      if (answer.status >= 500 && storeError !== undefined) throw storeError;
      return answer;
    },
    reset: async (path) => {
      const { resetSandbox } = await import("./sandbox/server.ts");
      await resetSandbox(path, today());
      if (path === file) rmSync(oldFile, { force: true });
    },
  };
}

/** CAL_SANDBOX_HABITS is the earlier name of the variable, and `contract` that of `generic`. */
function getSandboxServerProfile(env: Env): ServerProfileName {
  const variable = env["CAL_SANDBOX_SERVER"] ? "CAL_SANDBOX_SERVER" : "CAL_SANDBOX_HABITS";
  const name = env[variable] || "generic";
  if (name === "generic" || name === "contract") return "generic";
  if (name === "the-events-calendar") return name;
  throw usageError(`${variable} is neither generic nor the-events-calendar`, { command: `unset ${variable}` });
}

/** The settings that a running sandbox replaces. */
function createSandboxOverride(sandbox: Sandbox): SettingsOverride {
  return {
    origin: "sandbox",
    values: {
      base_url: sandbox.baseUrl,
      auth_url: sandbox.authUrl,
      namespace: sandbox.namespace,
      server: sandbox.serverProfile,
      site_tz: sandbox.zone,
    },
  };
}
