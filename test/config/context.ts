// A context for the commands over the config file: a real file in a temporary folder; the test controls everything else.

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
import { restoreSpaces } from "../../src/text.ts";

/** What a test sets, and what it can observe. */
export interface ConfigTestContext {
  env: Record<string, string>;
  globals: Record<string, string | number | boolean>;
  /** The answer to every question; absent where there is no terminal. */
  answer?: boolean;
  send: Transport;
  /** The login that every profile has; absent is none. */
  login?: Pick<Login, "base_origin">;
  readonly deletedSecrets: string[];
  /** Everything on stderr, questions too, and the next steps of a report. */
  readonly messages: string[];
  runHandler(handler: ConfigHandler, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** Runs a command by its words. */
  runCommand(words: string, args?: readonly string[], flags?: Flags): Promise<Report>;
  /** The same; resolves with the record of the report. */
  runForRecord(words: string, args?: readonly string[], flags?: Flags): Promise<unknown>;
  /** The same; resolves with the records of the report. */
  runForRows(words: string, flags?: Flags): Promise<unknown[]>;
  /** The content of the file; undefined where there is none. */
  readConfig(): Promise<unknown>;
  writeConfig(data: unknown): Promise<void>;
  readonly path: string;
  remove(): Promise<void>;
}

/** The folder exists until `remove`. */
export async function createConfigTestContext(): Promise<ConfigTestContext> {
  const folder = await mkdtemp(join(tmpdir(), "cal-config-"));
  const file = openConfigFile(folder, { sleep: async () => undefined });
  const refuse = () => Promise.reject(new Error("not available in this test"));
  const self: ConfigTestContext = {
    env: {},
    globals: {},
    send: refuse,
    deletedSecrets: [],
    messages: [],
    path: file.path,
    runHandler: async (handler, args = [], flags = {}) => {
      const report = await handler({ args, flags, problems: [] }, context());
      if (report.kind === "record" && report.nextStep !== undefined) self.messages.push(restoreSpaces(report.nextStep));
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
  const say = async (text: string) => void self.messages.push(restoreSpaces(text));
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
