// What a command may use: cheap values at once, dear parts on demand. Only this file knows all the concrete edges.
import { join } from "node:path";
import type { Client } from "./api/client.ts";
import type { Access, Tokens } from "./auth/access.ts";
import type { Vault } from "./auth/vault.ts";
import { type ConfigFile, openConfigFile } from "./config/config-file.ts";
import { type Folders, findFolders } from "./config/folders.ts";
import { existingProfile } from "./config/profiles.ts";
import { type Override, resolveSettings } from "./config/resolve.ts";
import type { Settings } from "./config/settings.ts";
import type { Transport } from "./http/transport.ts";
import type { Wire } from "./http/undici.ts";
import type { Sandbox, SandboxOptions } from "./sandbox/options.ts";
import type { Io } from "./terminal/io.ts";
import type { Prompt } from "./terminal/prompt.ts";
import { CalError, usage } from "./errors.ts";

/** The environment variables, read once. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time, as everything but main.ts sees it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>;
}

/** The machine that the program runs on. */
export interface Machine {
  readonly home: string;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The system's time zone, by IANA name. */
  readonly zone: string;
  readonly pid: number;
  /** The version of Node, without a letter before it. */
  readonly node: string;
  /** The file that was started, as it was called. */
  readonly program: string;
  /** Whether a process of this id lives. */
  alive(pid: number): boolean;
  /** Questions on the terminal; asked only where there is one. */
  readonly prompt: Prompt;
  /** Opens an address in the person's browser; false where none could be started. */
  openBrowser(url: string): Promise<boolean>;
  /** Path of the built program that speaks to the keychain. */
  readonly keychainProgram: string;
  /** Resolves when the user wants a command that runs on (`cal sandbox serve`) to end. */
  stopped(): Promise<void>;
}

/** The machine and its edges as main.ts hands them in; tests hand in their own. */
export interface System {
  readonly io: Io;
  readonly env: Env;
  readonly clock: Clock;
  readonly machine: Machine;
}

/** Flags by name without dashes. */
type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a handler is given. */
export interface Context extends System {
  /** The global flags that were typed. */
  readonly globals: Flags;
  readonly folders: Folders;
  /** Says something the user asked for beside the data, on stderr, always. */
  say(text: string): Promise<void>;
  /** Says something the user should know, on stderr; silent under --quiet. */
  notice(text: string): Promise<void>;
  /** Says what may be wrong, on stderr, always. */
  warn(text: string): Promise<void>;
  settings(): Promise<Settings>;
  configFile(): Promise<ConfigFile>;
  /** A person at the terminal; rejects with kind `usage` where there is none or --no-input forbids it. */
  prompt(): Promise<Prompt>;
  /** The bare wire: for the authentication service and for finding a site. Carries no token. */
  transport(): Promise<Transport>;
  /** The stored logins of all profiles. */
  vault(): Promise<Vault>;
  /** Deletes what is kept in secret for a profile; false where there was nothing. */
  forgetSecrets(profile: string): Promise<boolean>;
  openBrowser(url: string): Promise<boolean>;
  tokens(): Promise<Tokens>;
  /** The calendar interface, with access, retries and the guard. */
  client(): Promise<Client>;
  /** Starts the embedded calendar; it ends with the command. */
  startSandbox(options: Partial<SandboxOptions>): Promise<Sandbox>;
  /** Throws the embedded calendar's data away and seeds it anew. */
  resetSandbox(file: string): Promise<void>;
  /** Where the embedded calendar keeps its data unless told. */
  readonly sandboxFile: string;
}

/** A context and how to end it. */
export interface OpenContext extends Context {
  close(): Promise<void>;
}

declare const CAL_VERSION: string;

/** Makes the context of one command. `flags` are its own flags, of which some give settings too. */
export function createContext(system: System, globals: Flags, flags: Flags): OpenContext {
  const { io, env, clock, machine } = system;
  const folders = findFolders({ env, home: machine.home, platform: machine.platform });
  const quiet = globals["quiet"] === true;
  const say = (text: string) => io.stderr.write(`${text}\n`);
  const notice = async (text: string) => (quiet ? undefined : say(text));
  const warn = (text: string) => say(`warning: ${text}`);
  const sandboxFile = join(folders.state, "sandbox.sqlite");
  const closing: (() => Promise<void>)[] = [];

  const configFile = once(async () => openConfigFile(folders.config, { pid: machine.pid, alive: machine.alive, sleep: clock.sleep }));
  const today = () => new Date(clock.now()).toISOString().slice(0, 10);
  const resetSandbox = async (file: string) => (await import("./sandbox/server.ts")).resetSandbox(file, today());
  const startSandbox = async (options: Partial<SandboxOptions>) => {
    const { startSandbox: start } = await import("./sandbox/server.ts");
    const sandbox = await start({ file: sandboxFile, day: today(), now: clock.now, ...options });
    closing.push(() => sandbox.close());
    return sandbox;
  };
  const embedded = once(async () => startSandbox({ habits: env["CAL_SANDBOX_HABITS"] === "the-events-calendar" ? "the-events-calendar" : "contract" }));
  const settings = once(async () => {
    const file = await configFile();
    const sources = { globals: { ...flags, ...globals }, env, data: await file.read(), path: file.path, systemZone: machine.zone, mayBeNew: true };
    const plain = resolveSettings(sources);
    if (!plain.sandbox.value) return plain;
    return resolveSettings({ ...sources, override: sandboxOverride(await embedded()) });
  });
  /** The settings of a profile that exists: a mistyped name must not run without the profile's own rules. */
  const siteSettings = async () => {
    const found = await settings();
    existingProfile(await (await configFile()).read(), found.profile);
    return found;
  };
  const wire = once(async () => {
    const { createWire } = await import("./http/undici.ts");
    const opened: Wire = createWire(await wireOptions(await settings(), env));
    closing.push(opened.close);
    return opened.send;
  });
  const transport = once(async () => {
    const { withRetries } = await import("./http/retries.ts");
    const { retries, debug } = await settings();
    const send = debug.value ? (await import("./http/trace.ts")).traced(await wire(), clock, say) : await wire();
    return withRetries(send, { retries: retries.value, sleep: clock.sleep, now: clock.now, random: Math.random, notice });
  });
  const vault = once(async () => {
    const [{ createVault }, { createLock }, { createKeychain }, { createSecretFile }] = await Promise.all([
      import("./auth/vault.ts"),
      import("./auth/lock.ts"),
      import("./auth/keychain.ts"),
      import("./auth/secret-file.ts"),
    ]);
    const lock = createLock(join(folders.state, "locks"), clock);
    const keychain = createKeychain({ program: machine.keychainProgram, env, notice });
    return createVault({ folder: folders.state, clock, lock, stores: { keychain, file: createSecretFile(folders.state, lock) } });
  });
  const tokens = once(async (): Promise<Tokens> => {
    const { sandbox } = await settings();
    if (sandbox.value) return fixedAccess({ header: "authorization", value: `Bearer ${(await embedded()).token}`, source: "sandbox" });
    const { createTokens } = await import("./auth/session.ts");
    return createTokens({ settings: await siteSettings(), env, clock, transport, vault: await vault(), warn });
  });
  const client = once(async () => {
    const [{ createClient }, { guarded }] = await Promise.all([import("./api/live-client.ts"), import("./http/guard.ts")]);
    const { base_url, read_only, profile } = await siteSettings();
    if (base_url === undefined) throw noSite(profile.value);
    const rules = { readOnly: read_only.value, dryRun: globals["dry-run"] === true };
    return createClient({ transport: guarded(await transport(), rules), baseUrl: base_url.value, tokens: await tokens(), userAgent: `cal/${CAL_VERSION}` });
  });
  const prompt = async (): Promise<Prompt> => {
    const { no_input } = await settings();
    if (no_input.value || !io.stdin.isTTY || !io.stderr.isTTY) throw usage("an answer is needed, and there is nobody to ask", "give it as a flag; --yes says yes to every question");
    return machine.prompt;
  };
  const close = async () => {
    for (const end of closing.reverse()) await end();
  };
  return {
    ...system, globals, folders, sandboxFile, say, notice, warn, settings, configFile, prompt, transport, vault, tokens, client, startSandbox, resetSandbox, close,
    forgetSecrets: async (profile) => (await vault()).remove(profile),
    openBrowser: machine.openBrowser,
  };
}

/** Makes a dear part when it is first asked for, and the same one ever after. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function fixedAccess(access: Access): Tokens {
  return { current: async () => access, renewed: async () => undefined };
}

function sandboxOverride(sandbox: Sandbox): Override {
  const server = sandbox.namespace.startsWith("tribe/") ? "the-events-calendar" : "generic";
  return { origin: "sandbox", values: { base_url: sandbox.baseUrl, auth_url: sandbox.authUrl, namespace: sandbox.namespace, server } };
}

async function wireOptions(settings: Settings, env: Env) {
  const proxies = { http: env["HTTP_PROXY"] ?? env["http_proxy"], https: env["HTTPS_PROXY"] ?? env["https_proxy"], no: env["NO_PROXY"] ?? env["no_proxy"] };
  const ca = settings.ca_file === undefined ? undefined : await certificates(settings.ca_file.value, env["NODE_EXTRA_CA_CERTS"]);
  return {
    timeout: settings.timeout.value,
    connections: settings.concurrency.value,
    insecure: settings.insecure.value,
    ...(ca === undefined ? {} : { ca }),
    proxies: Object.fromEntries(Object.entries(proxies).filter(([, value]) => value !== undefined && value !== "")),
  };
}

/** What Node trusts by itself, with the file's authorities beside it. */
async function certificates(path: string, extra: string | undefined): Promise<readonly string[]> {
  const [{ readFile }, { rootCertificates }] = await Promise.all([import("node:fs/promises"), import("node:tls")]);
  try {
    const files = extra === undefined || extra === "" ? [path] : [path, extra];
    return [...rootCertificates, ...(await Promise.all(files.map((file) => readFile(file, "utf8"))))];
  } catch (error) {
    throw new CalError("local", `the certificates of --ca-file can't be read: ${error instanceof Error ? error.message : path}`);
  }
}

function noSite(profile: string): CalError {
  return new CalError("local", `profile ${profile} names no site yet`, {
    code: "no-site",
    hint: "cal init <site-url> sets one up; --base-url <url> names one for this call; cal --sandbox ... needs none",
  });
}
