// A context for the handlers over the config file: a real file in a folder of its own, everything else at hand for the test.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Login } from "../../src/auth/credential-store.ts";
import { setupCommands } from "../../src/cli/declarations/config.ts";
import type { ConfigContext, ConfigHandler } from "../../src/commands/config.ts";
import { openConfigFile } from "../../src/config/config-file.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type { Flags } from "../../src/context.ts";
import type { Transport } from "../../src/http/transport.ts";
import type { Report } from "../../src/output/report.ts";
import { toBatches } from "../../src/output/rows.ts";

/** What a test says of the world, and what it finds out. */
export interface ConfigTestContext {
  env: Record<string, string>;
  globals: Record<string, string | number | boolean>;
  /** What a person answers; absent where nobody can be asked. */
  answer?: boolean;
  send: Transport;
  /** The login that every profile has; absent is none. */
  login?: Pick<Login, "base_origin">;
  readonly deletedSecrets: string[];
  /** Everything that was said on stderr, questions too, and what an answer says below itself. */
  readonly messages: string[];
  runHandler(handler: ConfigHandler, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** Runs a command of the tree by its words. */
  runCommand(words: string, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** The same, for the record that it answers with. */
  runForRecord(words: string, args?: readonly string[], flags?: Flags): Promise<unknown>;
  /** The same, for the records that it answers with. */
  runForRows(words: string, flags?: Flags): Promise<unknown[]>;
  /** The content of the file; undefined where there is none. */
  readConfig(): Promise<unknown>;
  writeConfig(data: unknown): Promise<void>;
  readonly path: string;
  remove(): Promise<void>;
}

/** Lays a desk; its folder lasts until `remove`. */
export async function createConfigTestContext(): Promise<ConfigTestContext> {
  const folder = await mkdtemp(join(tmpdir(), "cal-desk-"));
  const file = openConfigFile(folder, { sleep: async () => undefined });
  const refuse = () => Promise.reject(new Error("not at this desk"));
  const self: ConfigTestContext = {
    env: {},
    globals: {},
    send: refuse,
    deletedSecrets: [],
    messages: [],
    path: file.path,
    runHandler: async (handler, args = [], flags = {}) => {
      const report = await handler({ args, flags, problems: [] }, context());
      if (report.kind === "record" && report.nextStep !== undefined) self.messages.push(report.nextStep);
      return report;
    },
    runCommand: async (words, args = [], flags = {}) => {
      const spec = setupCommands.find(({ path }) => path.join(" ") === words);
      if (spec === undefined) throw new Error(`no command ${words}`);
      return self.runHandler((await spec.load()) as ConfigHandler, args, flags);
    },
    runForRecord: async (words, args, flags) => {
      const report = await self.runCommand(words, args, flags);
      return report.kind === "record" ? report.record : report;
    },
    runForRows: async (words, flags) => {
      const report = await self.runCommand(words, [], flags);
      const rows: unknown[] = [];
      if (report.kind === "list") for await (const page of toBatches(report.records)) rows.push(...page);
      return rows;
    },
    readConfig: async () => JSON.parse((await readFile(file.path, "utf8").catch(() => "")) || "null"),
    writeConfig: (data) => writeFile(file.path, JSON.stringify(data)),
    remove: () => rm(folder, { recursive: true }),
  };
  const say = async (text: string) => void self.messages.push(text);
  const confirm = async (question: string) => {
    self.messages.push(question);
    return self.answer === true;
  };
  const context = (): ConfigContext => ({
    env: self.env,
    globals: self.globals,
    notice: say,
    warn: say,
    configFile: async () => file,
    deleteSecrets: async (profile) => self.deletedSecrets.push(profile) > 0,
    settings: async () =>
      resolveSettings({
        globals: self.globals,
        env: self.env,
        data: await file.read(),
        path: file.path,
        systemZone: "Asia/Tokyo",
        allowMissingProfile: true,
      }),
    prompt: async () => (self.answer === undefined ? refuse() : { text: refuse, secret: refuse, choose: refuse, confirm }),
    transport: async () => self.send,
    credentialStore: async () => ({ findLogin: async () => self.login }),
  });
  return self;
}
