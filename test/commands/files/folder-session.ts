// A session with the files of a calendar.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSession, expectExitCode, type Session, type SessionOptions } from "../../helpers/session.ts";

export const servers = ["generic", "the-events-calendar"] as const;

export interface FolderSession {
  readonly cal: Session;
  readonly folder: string;
  /** All files by their paths below the folder. */
  files(): Readonly<Record<string, string>>;
  read(path: string): string;
  /** Replaces a text of a file, which must be there. */
  edit(path: string, from: string | RegExp, to: string): void;
  write(path: string, text: string): void;
  /** The id of the record of a file. */
  idOf(path: string): string;
  /** The rows of the report, as JSON. */
  rows(line: string, code?: number): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Pulls a new sandbox. */
export async function pullSandbox(
  server: string,
  { line = "", ...options }: SessionOptions & { readonly line?: string } = {},
): Promise<FolderSession> {
  const cal = createSession({ ...options, env: { CAL_SANDBOX_SERVER: server, ...options.env } });
  const folder = join(cal.folder, "calendar");
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  await expectExitCode(cal(`pull ${folder} ${line}`), 0);
  return {
    cal,
    folder,
    read,
    write,
    files: () => {
      const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      const paths = names.map((one) => join(one.parentPath, one.name).slice(folder.length + 1)).sort();
      return Object.fromEntries(paths.map((path) => [path, read(path)]));
    },
    edit: (path, from, to) => {
      const before = read(path);
      const after = before.replace(from, to);
      if (after === before) throw new Error(`${path} does not hold ${String(from)}:\n${before}`);
      write(path, after);
    },
    idOf: (path) => {
      const key = path.replace(/\.yaml$/, "");
      const lines = read(".calendar/ledger.ndjson")
        .split("\n")
        .filter((one) => one !== "");
      const entry = lines.map((one) => JSON.parse(one) as { key?: string; id?: string }).find((one) => one.key === key);
      return entry?.id ?? "";
    },
    rows: async (text, code = 0) =>
      JSON.parse((await expectExitCode(cal(`${text} --json`), code)).stdout) as Readonly<Record<string, unknown>>[],
  };
}
