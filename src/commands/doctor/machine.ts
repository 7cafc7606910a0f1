// Check: the Node that runs this program.

import { open, realpath, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { createKeychainSecretStore, getKeychainTimeouts } from "../../auth/keychain.ts";
import { formatCalCommand, getSelectedProfile } from "../../config/config-file.ts";
import { findSettingDefinition, type Setting, type Settings } from "../../config/settings.ts";
import type { Context, Env } from "../../context.ts";
import { CalError, formatHints } from "../../errors.ts";
import { type Check, CheckSkippedError, type Finding, findLoginSource } from "./check.ts";

/** The oldest version that the program is made for (package.json, engines). */
const minNodeVersion = "20.18.1";

/** Too old a Node is normally refused before the program is loaded. */
export const nodeCheck: Check = {
  name: "node",
  run: async ({ context }) => {
    const { nodeVersion: version, platform } = context.machine;
    const found = `Node ${version} on ${platform}`;
    if (!isOlder(version, minNodeVersion)) return { state: "ok", found };
    return {
      state: "failure",
      found: `${found}; at least ${minNodeVersion} is needed`,
      advice: "install a newer Node: https://nodejs.org/en/download",
    };
  },
};

function isOlder(version: string, than: string): boolean {
  const wanted = than.split(".").map(Number);
  const given = version.split(".").map((part) => Number.parseInt(part, 10));
  const at = wanted.findIndex((part, index) => given[index] !== part);
  return at !== -1 && (given[at] ?? 0) < (wanted[at] ?? 0);
}

// Which programs of a name there are on PATH, and which of them are this one.

/** A program that the shell could start. */
interface Program {
  readonly path: string;
  /** Whether it is this program, by a link or by a small script that names its file, as package managers and people write them. */
  readonly isThisProgram: boolean;
  /** Whether it is a script, which the month printer is nowhere. */
  readonly isScript: boolean;
}

/** Where a shell looks, and the file that was started. */
interface ProgramLookup {
  readonly env: Env;
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly program: string;
}

/** All programs of that name, in the order in which the shell looks for them. */
async function findPrograms(name: string, { env, platform, program }: ProgramLookup): Promise<readonly Program[]> {
  const { join, delimiter } = platform === "win32" ? win32 : posix;
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat", ".ps1"] : [""];
  const files = [...new Set(folders)].flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const own = [...new Set([program, await resolveRealPath(program)])];
  const found = await Promise.all(
    files.map(async (path) => ((await isExecutable(path, platform)) ? [await inspectProgram(path, own)] : [])),
  );
  return found.flat();
}

async function isExecutable(path: string, platform: string): Promise<boolean> {
  try {
    const file = await stat(path);
    return file.isFile() && (platform === "win32" || (file.mode & 0o111) !== 0);
  } catch {
    return false;
  }
}

/** `own` is the file that was started, by each of its paths. */
async function inspectProgram(path: string, own: readonly string[]): Promise<Program> {
  const start = await readFirstBytes(path);
  const namesUs = /[\\/]calctl[\\/]bin[\\/]cal\.js\b/.test(start) || own.some((name) => start.includes(name));
  return { path, isThisProgram: namesUs || own.includes(await resolveRealPath(path)), isScript: start.startsWith("#!") };
}

async function resolveRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** The first bytes: a script names what it starts there. */
async function readFirstBytes(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

// Check: what the shell starts for `cal`, which is also the name of the month printer of Unix.

/** Whatever wins, `calctl` is this program and nothing else. */
export const programNameCheck: Check = {
  name: "path",
  run: async ({ context: { env, machine } }) => checkProgramName({ env, platform: machine.platform, program: machine.program }),
};

/** What PATH has under both names. */
export async function checkProgramName(place: ProgramLookup): Promise<Finding> {
  const [cals, free] = await Promise.all([findPrograms("cal", place), findPrograms("calctl", place)]);
  const [first, ...others] = cals;
  const advice = free.some(({ isThisProgram }) => isThisProgram)
    ? "use the name that only this program has: calctl"
    : "npm install --global calctl, then use the name that only this program has: calctl";
  if (first === undefined) return { state: "ok", found: "no cal on PATH: there is nothing to be confused with" };
  const foreign = others.filter(({ isThisProgram }) => !isThisProgram);
  if (first.isThisProgram) {
    const after = foreign.length === 0 ? "" : `; it hides ${formatPaths(foreign)}`;
    return { state: "ok", found: `cal is this program: ${first.path}${after}` };
  }
  const own = others.find((program) => program.isThisProgram);
  const hidden = own === undefined ? "this program is not on PATH as cal" : `it hides this program: ${own.path}`;
  return {
    state: "warning",
    found: `cal is another program${first.isScript ? "" : ", probably the month printer"}: ${first.path}; ${hidden}`,
    advice,
  };
}

function formatPaths(programs: readonly Program[]): string {
  return programs.map(({ path, isScript }) => (isScript ? path : `${path} (probably the month printer)`)).join(", ");
}

// Check: the settings can be read, they name a site, and where each of them comes from.

/** Broken settings are told by their own error. */
export const configurationCheck: Check = {
  name: "configuration",
  run: async ({ context }) => {
    const file = await context.configFile();
    const data = await file.read();
    const settings = await context.settings();
    const { profile } = settings;
    const unknown = Object.keys(getSelectedProfile(data, profile)).filter((name) => findSettingDefinition(name) === undefined);
    const found = `${file.path}: ${formatSettings(settings)}`;
    if (settings.base_url === undefined) {
      return {
        state: "failure",
        found: `${found}; no site is chosen`,
        advice: `${formatCalCommand(settings)} init <site-url>; or try it without a site: cal --sandbox events list`,
      };
    }
    if (unknown.length === 0) return { state: "ok", found };
    return {
      state: "warning",
      found: `${found}; the profile holds what no setting is called: ${unknown.join(", ")}`,
      advice: `${formatCalCommand(settings)} config list --show-origin shows the settings; the others do nothing`,
    };
  },
};

function formatSettings(settings: Settings): string {
  const { profile, base_url, auth_url, namespace, server } = settings;
  const named: readonly (readonly [string, Setting<string> | undefined])[] = Object.entries({
    profile,
    base_url,
    auth_url,
    namespace,
    server,
  });
  return named.flatMap(([name, setting]) => (setting === undefined ? [] : `${name} ${setting.value} (${setting.origin})`)).join(", ");
}

// Check: the keychain takes a text, gives it back and forgets it.

/** Milliseconds: with a display, a person may be typing a password into a window. */
const keychainTimeouts = { display: 10_000, none: 5000 };

/** Writes, reads back and deletes a text that is no secret; resolves with what went wrong. */
export async function testKeychain({ machine, env, notice }: Context): Promise<CalError | undefined> {
  const usual = getKeychainTimeouts(env, machine.platform);
  const timeout = usual.noticeDelay === undefined ? keychainTimeouts.none : keychainTimeouts.display;
  const keychain = createKeychainSecretStore({ program: machine.keychainProgram, env, notice, timeouts: { ...usual, timeout } });
  const account = `doctor/${machine.pid}`;
  try {
    await keychain.write([[account, "test"]]);
    const read = (await keychain.read([account])).get(account);
    await keychain.remove([account]);
    return read === "test" ? undefined : new CalError("unauthenticated", "the keychain gives back something else than it was given");
  } catch (error) {
    if (error instanceof CalError) return error;
    throw error;
  }
}

/** A keychain that can't be used is a failure only where the profile's login is in it, and a note where that is somewhere else. */
export const keychainCheck: Check = {
  name: "keychain",
  run: async ({ context, keychainError: tried, settings }) => {
    const fault = await tried();
    if (fault === undefined) return { state: "ok", found: "a text was written, read back and deleted" };
    const place = await settings()
      .then((known) => (known.sandbox.value ? undefined : findLoginSource(context, known)))
      .catch(() => undefined);
    if (place !== undefined && place !== "keychain")
      throw new CheckSkippedError(`not needed, the login comes from ${place}: ${fault.message}`);
    const { hint } = fault.details;
    return {
      state: place === "keychain" ? "failure" : "warning",
      found: fault.message,
      ...(hint === undefined ? {} : { advice: formatHints(hint) }),
    };
  },
};
