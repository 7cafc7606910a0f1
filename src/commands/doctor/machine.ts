// The checks of `cal doctor` that look at this machine: Node, PATH, configuration, keychain.

import { open, realpath, stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { formatCalCommand, getSelectedProfile } from "../../config/config-file.ts";
import { findSettingDefinition, type Setting } from "../../config/settings.ts";
import type { Env } from "../../context.ts";
import { formatHints } from "../../errors.ts";
import { unbreakable } from "../../text.ts";
import { type Check, CheckSkippedError, type Finding, findLoginSource } from "./check.ts";

/** The oldest supported version (package.json, engines). */
const minNodeVersion = "20.18.1";

/** bin/cal.js normally refuses an older Node before the program is loaded. */
export const nodeCheck: Check = {
  name: "node",
  run: async ({ context: { machine } }) => {
    const found = `Node ${machine.nodeVersion} on ${machine.platform}`;
    const required = minNodeVersion.split(".").map(Number);
    const actual = machine.nodeVersion.split(".").map((part) => Number.parseInt(part, 10));
    const at = required.findIndex((part, index) => actual[index] !== part);
    if (at === -1 || (actual[at] ?? 0) >= (required[at] ?? 0)) return { state: "ok", found };
    return {
      state: "failure",
      found: `${found}; at least ${minNodeVersion} is needed`,
      advice: "install a newer Node: https://nodejs.org/en/download",
    };
  },
};

/** What the shell starts for `cal`, which is also the name of a program of Unix that prints a month. `calctl` is always this program. */
export const programNameCheck: Check = {
  name: "path",
  run: async ({ context: { env, machine } }) => checkProgramName({ env, platform: machine.platform, program: machine.program }),
};

interface ProgramLookup {
  readonly env: Env;
  /** In Node's words: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The file that was started. */
  readonly program: string;
}

export async function checkProgramName(lookup: ProgramLookup): Promise<Finding> {
  const [[first, ...others], calctls] = await Promise.all([findPrograms("cal", lookup), findPrograms("calctl", lookup)]);
  if (first === undefined) return { state: "ok", found: "no other cal on PATH" };
  if (first.isThisProgram) {
    const hidden = others.filter(({ isThisProgram }) => !isThisProgram);
    const paths = hidden.map(({ path, isScript }) => (isScript ? path : `${path} (probably the month printer)`)).join(", ");
    return { state: "ok", found: `cal is this program: ${first.path}${paths && `; it hides ${paths}`}` };
  }
  const own = others.find((program) => program.isThisProgram);
  const hidden = own === undefined ? "this program is not on PATH as cal" : `it hides this program: ${own.path}`;
  const advice = "use the name that only this program has: calctl";
  return {
    state: "warning",
    found: `cal is another program${first.isScript ? "" : ", probably the month printer"}: ${first.path}; ${hidden}`,
    advice: calctls.some(({ isThisProgram }) => isThisProgram) ? advice : `npm install --global calctl, then ${advice}`,
  };
}

interface Program {
  readonly path: string;
  /** Whether it is this program: by a link, or by a script that names its file, as package managers and users write them. */
  readonly isThisProgram: boolean;
  /** Whether it is a script. The month printer never is. */
  readonly isScript: boolean;
}

/** All programs of that name, in the order in which the shell looks for them. */
async function findPrograms(name: string, { env, platform, program }: ProgramLookup): Promise<readonly Program[]> {
  const { join, delimiter } = platform === "win32" ? win32 : posix;
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat", ".ps1"] : [""];
  const files = [...new Set(folders)].flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  const ownPaths = [...new Set([program, await resolveRealPath(program)])];
  const found = await Promise.all(
    files.map(async (path): Promise<readonly Program[]> => {
      const file = await stat(path).catch(() => undefined);
      if (file?.isFile() !== true || (platform !== "win32" && (file.mode & 0o111) === 0)) return [];
      const start = await readFirstBytes(path);
      const namesThisProgram = /[\\/]calctl[\\/]bin[\\/]cal\.js\b/.test(start) || ownPaths.some((own) => start.includes(own));
      const isThisProgram = namesThisProgram || ownPaths.includes(await resolveRealPath(path));
      return [{ path, isThisProgram, isScript: start.startsWith("#!") }];
    }),
  );
  return found.flat();
}

async function resolveRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/** A script names the program that it starts in its first bytes. */
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

/** Invalid settings are reported by their own error. */
export const configurationCheck: Check = {
  name: "configuration",
  run: async ({ context }) => {
    const file = await context.configFile();
    const data = await file.read();
    const settings = await context.settings();
    const { profile, base_url, auth_url, namespace, server } = settings;
    const unknown = Object.keys(getSelectedProfile(data, profile)).filter((name) => findSettingDefinition(name) === undefined);
    const shown: Readonly<Record<string, Setting<string> | undefined>> = { profile, base_url, auth_url, namespace, server };
    const values = Object.entries(shown).flatMap(([name, setting]) => (setting ? `${name} ${setting.value} (${setting.origin})` : []));
    const found = `${file.path}: ${values.join(", ")}`;
    if (base_url === undefined) {
      return {
        state: "failure",
        found: `${found}; no site is chosen`,
        advice: `${formatCalCommand(settings)} init <site-url>; or try it without a site: cal --sandbox events list`,
      };
    }
    if (unknown.length === 0) return { state: "ok", found };
    return {
      state: "warning",
      found: `${found}; the profile has unknown settings: ${unknown.join(", ")}`,
      advice: `${formatCalCommand(settings)} config list --show-origin shows the settings; the others do nothing`,
    };
  },
};

/** A broken keychain is a failure where the login is in it, and a warning where there is no login. */
export const keychainCheck: Check = {
  name: "keychain",
  run: async ({ context, keychainError, settings }) => {
    const error = await keychainError();
    if (error === undefined) return { state: "ok", found: "a text was written, read back and deleted" };
    const source = await settings()
      .then((known) => (known.sandbox.value ? undefined : findLoginSource(context, known)))
      .catch(() => undefined);
    if (source !== undefined && source !== "keychain")
      throw new CheckSkippedError(`not needed, the login comes from ${source}: ${error.message}`);
    const advice = formatHints(error.details.hint, "; ", unbreakable);
    return { state: source === "keychain" ? "failure" : "warning", found: error.message, ...(advice && { advice }) };
  },
};

/** Where the journal can't be written, one record is written without it, and several are refused. */
export const journalCheck: Check = {
  name: "journal",
  run: async ({ context, settings }) => {
    const { state } = context.folders;
    const known = await settings().catch(() => undefined);
    if (known?.journal.value === false)
      return { state: "warning", found: `switched off (${known.journal.origin}): writes can't be undone` };
    const { inspectJournals } = await import("../../changes/history.ts");
    const { folder, operations, bytes, unsettled, problem } = inspectJournals(state);
    if (problem !== undefined)
      return { state: "warning", found: `${folder} ${problem}`, advice: "CAL_STATE_DIR=<folder> names another one" };
    const found =
      operations === 0 ? `${folder}: nothing was written yet` : `${folder}: ${operations} operations, ${Math.ceil(bytes / 1024)} kB`;
    if (unsettled === 0) return { state: "ok", found };
    return {
      state: "warning",
      found: `${found}; ${unsettled} interrupted or with an unknown outcome`,
      advice: "cal log --all-sites shows them",
    };
  },
};
