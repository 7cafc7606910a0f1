// From the machine and the flags to the context of one command. Only src/wiring knows all the concrete edges.
import { join } from "node:path";
import type { Client } from "../api/client.ts";
import { type AuthHeaderProvider, createStaticAuthHeaderProvider } from "../auth/access.ts";
import { openConfigFile } from "../config/config-file.ts";
import { findFolders } from "../config/folders.ts";
import { getSelectedProfile } from "../config/profiles.ts";
import { isSandboxEnabled, resolveSettings } from "../config/resolve.ts";
import type { SettingTypes } from "../config/settings.ts";
import type { Context, Flags, OpenContext, System } from "../context.ts";
import { CalError, usageError } from "../errors.ts";
import { once } from "../once.ts";
import { createProgress, shouldShowProgress } from "../terminal/progress.ts";
import { mapPromptText, type Prompt, wrapPromptCalls } from "../terminal/prompt.ts";
import { resolveStyle } from "../terminal/style.ts";
import { createSandboxManager, createSandboxOverride } from "./embedded.ts";
import { openCredentialStore } from "./logins.ts";
import { createQuestionWrapper, createStderrWriter } from "./voice.ts";
import { openTransport } from "./wire.ts";

declare const CAL_VERSION: string;

/** Makes the context of one command. `flags` are its own flags, of which some give settings too; `defaults` are its own for settings that nobody gave. */
export function createContext(system: System, globals: Flags, flags: Flags, defaults: Partial<SettingTypes> = {}): OpenContext {
  const { env, clock, machine } = system;
  const folders = findFolders({ env, home: machine.home, platform: machine.platform });
  const sandboxFile = join(folders.state, "sandbox.sqlite");
  const closeCallbacks: (() => Promise<void>)[] = [];
  const quiet = globals["quiet"] === true;
  const shown = shouldShowProgress(system.io.stderr.isTTY, env, quiet);
  const { io, progress, suspendDuring, end } = createProgress(system.io, { now: clock.now, every: machine.startInterval }, shown);
  machine.atSignal(end);
  const { stderrFailed, ...voice } = createStderrWriter(io.stderr, quiet);

  const embedded = createSandboxManager(sandboxFile, clock.now, env, closeCallbacks);
  const configFile = once(async () => openConfigFile(folders.config, { sleep: clock.sleep, atSignal: machine.atSignal }));
  const settings = once(async () => {
    const file = await configFile();
    const all = { ...flags, ...globals };
    const read = { globals: all, env, data: await file.read(), path: file.path, allowMissingProfile: true, defaults };
    return resolveSettings({
      ...read,
      ...(isSandboxEnabled(read) ? { override: createSandboxOverride(await embedded.getSharedSandbox()) } : {}),
      get systemZone() {
        return machine.zone;
      },
    });
  });
  const { withStoreErrors } = embedded;
  const transport = once(async () =>
    openTransport({ ...voice, settings: await settings(), env, clock, progress, withStoreErrors, closeCallbacks }),
  );
  const credentialStore = once(() => openCredentialStore({ ...voice, folders, clock, machine, env }));
  const cheap = { ...system, ...voice, io, progress, globals, folders, sandboxFile, settings, configFile, transport, credentialStore };
  const tokens = once(() => openTokens(cheap, async () => (await embedded.getSharedSandbox()).token));
  return {
    ...cheap,
    tokens,
    client: once(() => openClient({ ...cheap, tokens })),
    prompt: async () => wrapPromptCalls(mapPromptText(await openPrompt(cheap), await createQuestionWrapper(io.stderr)), suspendDuring),
    startSandbox: embedded.start,
    resetSandbox: embedded.reset,
    deleteSecrets: async (profile) => (await credentialStore()).remove(profile),
    openBrowser: machine.openBrowser,
    stderrFailed,
    close: async () => {
      end();
      for (const close of closeCallbacks.splice(0).reverse()) await close();
    },
  };
}

/** The settings of a profile that exists: a mistyped name must not run without the profile's own rules. */
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

type TokenParts = Pick<Context, "settings" | "configFile" | "env" | "clock" | "transport" | "credentialStore" | "warn">;

async function openTokens(parts: TokenParts, sandboxToken: () => Promise<string>): Promise<AuthHeaderProvider> {
  const { env, clock, transport, credentialStore, warn } = parts;
  const settings = await requireSiteSettings(parts);
  if (settings.sandbox.value)
    return createStaticAuthHeaderProvider({ header: "authorization", value: `Bearer ${await sandboxToken()}`, source: "sandbox" });
  const { createAuthHeaderProvider } = await import("../auth/session.ts");
  return createAuthHeaderProvider({ settings, env, clock, transport, credentialStore: await credentialStore(), warn });
}

async function openClient(parts: Pick<Context, "settings" | "configFile" | "globals" | "transport" | "tokens">): Promise<Client> {
  const [{ createClient }, { guard }, { loginHint }] = await Promise.all([
    import("../api/live-client.ts"),
    import("../http/guard.ts"),
    import("../auth/parts.ts"),
  ]);
  const { base_url, read_only, profile } = await requireSiteSettings(parts);
  if (base_url === undefined) {
    throw new CalError("local", `profile ${profile.value} names no site yet`, {
      code: "no-site",
      hint: "cal init <site-url> sets one up; --base-url <url> names one for this call; cal --sandbox ... needs none",
    });
  }
  const rules = { readOnly: read_only.value, dryRun: parts.globals["dry-run"] === true };
  const transport = guard(await parts.transport(), rules);
  return createClient({
    transport,
    baseUrl: base_url.value,
    tokens: await parts.tokens(),
    userAgent: `cal/${CAL_VERSION}`,
    loginHint: (source) => loginHint(profile.value, source),
  });
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
    throw usageError("an answer is needed, and there is nobody to ask", "give it as a flag; --yes says yes to every question");
  }
  return machine.prompt(await resolveStyle(io.stderr, env, globals));
}
