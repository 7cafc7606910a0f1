// A shell for documents: `cal` runs in process on a sandbox of its own, other programs of a pipe run as they are.

import { spawnSync } from "node:child_process";
import { once } from "../../src/once.ts";
import { openTwoProfiles } from "../commands/copy/two-sites.ts";
import { createSession } from "../helpers/session.ts";

/** What a command line printed, as lines. */
export interface ShellOutput {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Runs one line after the other, in a folder of its own. */
export interface Shell {
  runLine(typed: string): Promise<ShellOutput>;
  readonly folder: string;
}

/**
 * Opens a shell at a terminal of 100 columns; its sandbox is seeded around the fixed day of the sessions. `-p staging` and `-p live` are two
 * other sites.
 */
export function openShell(): Shell {
  const env = { NO_COLOR: "1" };
  const terminal = createSession({ env, columns: 100 });
  const folders = {
    CAL_CONFIG_DIR: `${terminal.folder}/config`,
    CAL_STATE_DIR: `${terminal.folder}/state`,
    CAL_CACHE_DIR: `${terminal.folder}/cache`,
  };
  const pipe = createSession({ env: { ...env, ...folders } });
  /** `CAL_X=1 cal ...` */
  const withEnv = (own: Readonly<Record<string, string>>, last: boolean) =>
    createSession({ env: { ...env, ...folders, ...own }, ...(last && { columns: 100 }) });
  const getTwoSites = once(() => openTwoProfiles({ env, columns: 100 }));
  const lines = (text: string) => linesOf(text.replaceAll(terminal.folder, "~"));

  let code = 0;
  const runLine = async (typed: string): Promise<ShellOutput> => {
    if (typed === "echo $?") return { stdout: [String(code)], stderr: [] };
    const stages = splitPipeline(typed.replaceAll("\\\n", " "));
    let last = { stdout: "", stderr: "", code: 0 };
    let stderr = "";
    for (const [at, stage] of stages.entries()) {
      const isLast = at === stages.length - 1;
      const { own, line } = splitEnvironment(stage);
      const hasOwn = Object.keys(own).length > 0;
      const namesSite = /^cal -p (?:staging|live) /.test(line);
      const cal = namesSite ? await getTwoSites() : hasOwn ? withEnv(own, isLast) : isLast ? terminal : pipe;
      last = line.startsWith("cal ") ? await cal(line.slice(4), last.stdout) : programRun(stage, last.stdout);
      stderr += last.stderr;
    }
    code = last.code;
    return { stdout: lines(last.stdout), stderr: lines(stderr) };
  };
  return { runLine, folder: terminal.folder };
}

/** The programs beside `cal` that the lines of a document call. */
export function findPrograms(lines: readonly string[]): readonly string[] {
  const words = lines.flatMap(splitPipeline).map((stage) => splitEnvironment(stage).line.split(" ", 1)[0] ?? "");
  return [...new Set(words)].filter((word) => word !== "cal");
}

/** The variables that are set for one command, and the command. */
function splitEnvironment(stage: string): { readonly own: Readonly<Record<string, string>>; readonly line: string } {
  const [, name = "", value = "", rest = ""] = /^(CAL_\w+)=(\S*) (.*)$/s.exec(stage) ?? [];
  if (name === "") return { own: {}, line: stage };
  const inner = splitEnvironment(rest);
  return { own: { [name]: value, ...inner.own }, line: inner.line };
}

function programRun(stage: string, input: string) {
  const { stdout, stderr, status } = spawnSync("bash", ["-c", stage], { input, encoding: "utf8" });
  return { stdout, stderr, code: status ?? 1 };
}

/** The commands of a pipe; bars in quotes are text. */
export function splitPipeline(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^|'"])+/g)].map(([stage]) => stage.trim());
}

/** The sandbox listens on another port each time; documents show one. */
function linesOf(text: string): readonly string[] {
  const plain = text.replaceAll("\r\n", "\n").replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8123");
  return plain === "" ? [] : plain.replace(/\n$/, "").split("\n");
}
