// From the machine and the flags to the context of one command. Only src/wiring knows all the concrete edges.
import { join } from "node:path";
import type { Client } from "../api/client.ts";
import { fixedAccess, type Tokens } from "../auth/access.ts";
import { openConfigFile } from "../config/config-file.ts";
import { findFolders } from "../config/folders.ts";
import { existingProfile } from "../config/profiles.ts";
import { resolveSettings, wantsSandbox } from "../config/resolve.ts";
import type { SettingTypes } from "../config/settings.ts";
import type { Context, Flags, OpenContext, System } from "../context.ts";
import { CalError, usage } from "../errors.ts";
import { once } from "../once.ts";
import { createProgress, showsProgress } from "../terminal/progress.ts";
import { askedWithin, laidOut, type Prompt } from "../terminal/prompt.ts";
import { styleFor } from "../terminal/style.ts";
import { embeddedCalendar, sandboxOverride } from "./embedded.ts";
import { openVault } from "./logins.ts";
import { questionLines, voiceOn } from "./voice.ts";
import { openTransport } from "./wire.ts";

declare const CAL_VERSION: string;

/** Makes the context of one command. `flags` are its own flags, of which some give settings too; `defaults` are its own for settings that nobody gave. */
export function createContext(system: System, globals: Flags, flags: Flags, defaults: Partial<SettingTypes> = {}): OpenContext {
  const { env, clock, machine } = system;
  const folders = findFolders({ env, home: machine.home, platform: machine.platform });
  const sandboxFile = join(folders.state, "sandbox.sqlite");
  const closing: (() => Promise<void>)[] = [];
  const quiet = globals["quiet"] === true;
  const shown = showsProgress(system.io.stderr.isTTY, env, quiet);
  const { io, progress, hold, end } = createProgress(system.io, { now: clock.now, every: machine.every }, shown);
  machine.atSignal(end);
  const { unheard, ...voice } = voiceOn(io.stderr, quiet);

  const embedded = embeddedCalendar(sandboxFile, clock.now, env, closing);
  const configFile = once(async () => openConfigFile(folders.config, { sleep: clock.sleep, atSignal: machine.atSignal }));
  const settings = once(async () => {
    const file = await configFile();
    const all = { ...flags, ...globals };
    const read = { globals: all, env, data: await file.read(), path: file.path, mayBeNew: true, defaults };
    return resolveSettings({
      ...read,
      ...(wantsSandbox(read) ? { override: sandboxOverride(await embedded.own()) } : {}),
      get systemZone() {
        return machine.zone;
      },
    });
  });
  const { watched } = embedded;
  const transport = once(async () => openTransport({ ...voice, settings: await settings(), env, clock, progress, watched, closing }));
  const vault = once(() => openVault({ ...voice, folders, clock, machine, env }));
  const cheap = { ...system, ...voice, io, progress, globals, folders, sandboxFile, settings, configFile, transport, vault };
  const tokens = once(() => openTokens(cheap, async () => (await embedded.own()).token));
  return {
    ...cheap,
    tokens,
    client: once(() => openClient({ ...cheap, tokens })),
    prompt: async () => askedWithin(laidOut(await asked(cheap), await questionLines(io.stderr)), hold),
    startSandbox: embedded.start,
    resetSandbox: embedded.reset,
    forgetSecrets: async (profile) => (await vault()).remove(profile),
    openBrowser: machine.openBrowser,
    unheard,
    close: async () => {
      end();
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}

/** The settings of a profile that exists: a mistyped name must not run without the profile's own rules. */
async function siteSettings({ settings, configFile }: Pick<Context, "settings" | "configFile">) {
  const found = await settings();
  existingProfile(await (await configFile()).read(), found.profile);
  if (found.sandbox.value && found.base_url?.origin !== "sandbox") {
    throw usage(
      `two calendars are named: the sandbox (${found.sandbox.origin}) and another (${found.base_url?.origin})`,
      "give one of them; unset CAL_SANDBOX where it is set",
    );
  }
  return found;
}

type TokenParts = Pick<Context, "settings" | "configFile" | "env" | "clock" | "transport" | "vault" | "warn">;

async function openTokens(parts: TokenParts, sandboxToken: () => Promise<string>): Promise<Tokens> {
  const { env, clock, transport, vault, warn } = parts;
  const settings = await siteSettings(parts);
  if (settings.sandbox.value) return fixedAccess({ header: "authorization", value: `Bearer ${await sandboxToken()}`, source: "sandbox" });
  const { createTokens } = await import("../auth/session.ts");
  return createTokens({ settings, env, clock, transport, vault: await vault(), warn });
}

async function openClient(parts: Pick<Context, "settings" | "configFile" | "globals" | "transport" | "tokens">): Promise<Client> {
  const [{ createClient }, { guarded }, { loginAdvice }] = await Promise.all([
    import("../api/live-client.ts"),
    import("../http/guard.ts"),
    import("../auth/parts.ts"),
  ]);
  const { base_url, read_only, profile } = await siteSettings(parts);
  if (base_url === undefined) {
    throw new CalError("local", `profile ${profile.value} names no site yet`, {
      code: "no-site",
      hint: "cal init <site-url> sets one up; --base-url <url> names one for this call; cal --sandbox ... needs none",
    });
  }
  const rules = { readOnly: read_only.value, dryRun: parts.globals["dry-run"] === true };
  const transport = guarded(await parts.transport(), rules);
  return createClient({
    transport,
    baseUrl: base_url.value,
    tokens: await parts.tokens(),
    userAgent: `cal/${CAL_VERSION}`,
    login: (source) => loginAdvice(profile.value, source),
  });
}

async function asked({
  settings,
  io,
  env,
  globals,
  machine,
}: Pick<Context, "settings" | "io" | "env" | "globals" | "machine">): Promise<Prompt> {
  const { no_input } = await settings();
  if (no_input.value || !io.stdin.isTTY || !io.stderr.isTTY) {
    throw usage("an answer is needed, and there is nobody to ask", "give it as a flag; --yes says yes to every question");
  }
  return machine.prompt(await styleFor(io.stderr, env, globals));
}
