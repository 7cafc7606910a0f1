// A context for the handlers over the config file: a real file in a folder of its own, everything else at hand for the test.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Login } from "../../src/auth/vault/login.ts";
import { configTree } from "../../src/cli/tree/config.ts";
import type { ConfigHandler, ConfigParts } from "../../src/commands/config/config-context.ts";
import { openConfigFile } from "../../src/config/config-file.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type { Flags } from "../../src/context.ts";
import type { Transport } from "../../src/http/transport.ts";
import { grouped } from "../../src/output/grouped.ts";
import type { Report } from "../../src/output/report.ts";

/** What a test says of the world, and what it finds out. */
export interface Desk {
  env: Record<string, string>;
  globals: Record<string, string | number | boolean>;
  /** What a person answers; absent where nobody can be asked. */
  answer?: boolean;
  send: Transport;
  /** The login that every profile has; absent is none. */
  login?: Pick<Login, "base_origin">;
  readonly forgotten: string[];
  /** Everything that was said on stderr, questions too, and what an answer says below itself. */
  readonly said: string[];
  run(handler: ConfigHandler, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** Runs a command of the tree by its words. */
  cal(words: string, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** The same, for the record that it answers with. */
  record(words: string, args?: readonly string[], flags?: Flags): Promise<unknown>;
  /** The same, for the records that it answers with. */
  rows(words: string, flags?: Flags): Promise<unknown[]>;
  /** The content of the file; undefined where there is none. */
  stored(): Promise<unknown>;
  store(data: unknown): Promise<void>;
  readonly path: string;
  remove(): Promise<void>;
}

/** Lays a desk; its folder lasts until `remove`. */
export async function desk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), "cal-desk-"));
  const file = openConfigFile(folder, { sleep: async () => undefined });
  const refuse = () => Promise.reject(new Error("not at this desk"));
  const self: Desk = {
    env: {},
    globals: {},
    send: refuse,
    forgotten: [],
    said: [],
    path: file.path,
    run: async (handler, args = [], flags = {}) => {
      const report = await handler({ args, flags, problems: [] }, context());
      if (report.kind === "record" && report.next !== undefined) self.said.push(report.next);
      return report;
    },
    cal: async (words, args = [], flags = {}) => {
      const spec = configTree.find(({ path }) => path.join(" ") === words);
      if (spec === undefined) throw new Error(`no command ${words}`);
      return self.run((await spec.load()) as ConfigHandler, args, flags);
    },
    record: async (words, args, flags) => {
      const report = await self.cal(words, args, flags);
      return report.kind === "record" ? report.record : report;
    },
    rows: async (words, flags) => {
      const report = await self.cal(words, [], flags);
      const rows: unknown[] = [];
      if (report.kind === "list") for await (const page of grouped(report.records)) rows.push(...page);
      return rows;
    },
    stored: async () => JSON.parse((await readFile(file.path, "utf8").catch(() => "")) || "null"),
    store: (data) => writeFile(file.path, JSON.stringify(data)),
    remove: () => rm(folder, { recursive: true }),
  };
  const say = async (text: string) => void self.said.push(text);
  const confirm = async (question: string) => {
    self.said.push(question);
    return self.answer === true;
  };
  const context = (): ConfigParts => ({
    env: self.env,
    globals: self.globals,
    notice: say,
    warn: say,
    configFile: async () => file,
    forgetSecrets: async (profile) => self.forgotten.push(profile) > 0,
    settings: async () =>
      resolveSettings({
        globals: self.globals,
        env: self.env,
        data: await file.read(),
        path: file.path,
        systemZone: "Asia/Tokyo",
        mayBeNew: true,
      }),
    prompt: async () => (self.answer === undefined ? refuse() : { text: refuse, secret: refuse, choose: refuse, confirm }),
    transport: async () => self.send,
    vault: async () => ({ login: async () => self.login }),
  });
  return self;
}
