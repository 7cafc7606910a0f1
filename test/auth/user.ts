// A user of the auth commands: the real handlers, transport, credential store and config file; fakes only for terminal, browser and clock.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CredentialStore } from "../../src/auth/credential-store.ts";
import type { SecretStore } from "../../src/auth/credentials.ts";
import { createAuthHeaderProvider } from "../../src/auth/session.ts";
import { authCommands } from "../../src/cli/declarations/auth.ts";
import { openConfigFile } from "../../src/config/config-file.ts";
import { resolveSettings } from "../../src/config/resolve.ts";
import type { Context } from "../../src/context.ts";
import { CalError, formatHints, usageError } from "../../src/errors.ts";
import { logRequests } from "../../src/http/transport.ts";
import type { ListReport } from "../../src/output/report.ts";
import { toBatches } from "../../src/output/rows.ts";
import type { Output } from "../../src/terminal/io.ts";
import type { Prompt } from "../../src/terminal/prompt.ts";
import { restoreSpaces } from "../../src/text.ts";
import {
  createMemoryStore,
  createTempFolder,
  createTestClock,
  createTestCredentialStore,
  createTestTransport,
  type TestClock,
} from "./kit.ts";

/** The part of the context that the auth commands use. */
type AuthContext = Pick<
  Context,
  | "io"
  | "env"
  | "clock"
  | "globals"
  | "say"
  | "notice"
  | "warn"
  | "settings"
  | "configFile"
  | "prompt"
  | "transport"
  | "tokens"
  | "credentialStore"
  | "deleteSecrets"
  | "openBrowser"
>;

/** The report of a command or its error, and its lines on stderr. */
export interface AuthCommandResult {
  readonly value?: unknown;
  readonly text?: string;
  readonly rows?: readonly unknown[];
  readonly error?: { readonly kind: string; readonly message: string; readonly code?: string; readonly hint?: string };
  readonly stderr: readonly string[];
}

export interface AuthCommandInput {
  readonly flags?: Readonly<Record<string, string | boolean>>;
  readonly globals?: Readonly<Record<string, string | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Answers to the questions, in order; absent is no terminal. A function gets the question. */
  readonly answers?: readonly (string | boolean | ((question: string) => string | boolean | Promise<string>))[];
  /** What is pasted while cal waits for the browser; absent is nothing. */
  readonly pastedText?: string;
  /** What the browser does with an address that is opened. */
  readonly browser?: (url: string) => Promise<unknown>;
}

export interface User {
  (command: string, input?: AuthCommandInput): Promise<AuthCommandResult>;
  readonly clock: TestClock;
  readonly credentialStore: CredentialStore;
  readonly path: string;
  /** Questions that were shown, over all commands. */
  readonly questions: string[];
  /** Addresses that were opened. */
  readonly openedUrls: string[];
}

/** A user with a config and state folder of their own. */
export async function createUser(
  profile: Readonly<Record<string, unknown>>,
  keychain: SecretStore = createMemoryStore(),
  clock = createTestClock(),
): Promise<User> {
  const path = await createTempFolder();
  const credentialStore = createTestCredentialStore(path, clock, keychain);
  const config = openConfigFile(join(path, "config"), { sleep: async (ms) => void (await sleep(ms)) });
  await config.update((data) => ({ ...data, current: "default", profiles: { default: profile } }));
  const send = createTestTransport();
  const questionLog: string[] = [];
  const opened: string[] = [];
  const act = async (command: string, input: AuthCommandInput = {}): Promise<AuthCommandResult> => {
    const stderr: string[] = [];
    const say = async (text: string): Promise<void> => void stderr.push(restoreSpaces(text));
    const prompt = input.answers === undefined ? undefined : promptOf(input.answers, questionLog, input.pastedText);
    const env = input.env ?? {};
    const globals = input.globals ?? {};
    const settings = async () => resolveSettings({ globals, env, data: await config.read(), path: config.path, systemZone: "UTC" });
    const transport = globals["debug"] === true ? logRequests(send, clock, say) : send;
    const context: AuthContext = {
      io: { stdin: { isTTY: input.stdin === undefined, text: async () => input.stdin ?? "" }, stdout: silent, stderr: silent },
      env,
      clock,
      globals,
      say,
      notice: say,
      warn: (text) => say(`warning: ${text}`),
      settings,
      configFile: async () => config,
      prompt: async () => prompt ?? Promise.reject(usageError("an answer is needed, and there is no terminal")),
      transport: async () => transport,
      tokens: async () =>
        createAuthHeaderProvider({
          settings: await settings(),
          env,
          clock,
          transport: async () => transport,
          credentialStore: async () => credentialStore,
          warn: (text) => say(`warning: ${text}`),
        }),
      credentialStore: async () => credentialStore,
      deleteSecrets: async (profile) => (await credentialStore.remove(profile)).wasFound,
      openBrowser: async (url) => {
        opened.push(url);
        if (input.browser === undefined) return false;
        void input.browser(url);
        return true;
      },
    };
    return { ...(await answerOf(command, input, context)), stderr };
  };
  return Object.assign(act, { clock, credentialStore, path, questions: questionLog, openedUrls: opened });
}

async function answerOf(command: string, input: AuthCommandInput, context: AuthContext): Promise<Omit<AuthCommandResult, "stderr">> {
  try {
    const spec = authCommands.find(({ path }) => path.join(" ") === `auth ${command}`);
    const handler = await spec?.load();
    const report = await handler?.({ args: [], flags: input.flags ?? {}, problems: [] }, context as Context);
    if (report?.kind === "list") {
      const rows = await rowsOf(report.records);
      return report.failure === undefined ? { rows } : { rows, error: toResultError(report.failure) };
    }
    if (report?.kind === "value") return { value: report.value, ...(report.text === undefined ? {} : { text: report.text }) };
    throw new Error(`no such command: auth ${command}`);
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    return { error: toResultError(error) };
  }
}

function toResultError({ kind, message, details: { code, hint } }: CalError): NonNullable<AuthCommandResult["error"]> {
  return { kind, message, ...(code && { code }), ...(hint && { hint: formatHints(hint) }) };
}

async function rowsOf(records: ListReport["records"]): Promise<readonly unknown[]> {
  const rows = [];
  for await (const page of toBatches(records)) rows.push(...page);
  return rows;
}

const silent: Output = { write: async () => undefined, isTTY: false, columns: undefined, closed: false };

/** A question that is never answered: it rejects when the signal aborts. */
function waitForAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new CalError("interrupted", "interrupted")));
  });
}

function promptOf(answers: NonNullable<AuthCommandInput["answers"]>, questionLog: string[], pasted: string | undefined): Prompt {
  const queue = [...answers];
  const next = (question: string): string | boolean | Promise<string> => {
    questionLog.push(question);
    const answer = queue.shift();
    if (answer === undefined) throw new Error(`no answer to: ${question}`);
    return typeof answer === "function" ? answer(question) : answer;
  };
  return {
    text: async ({ message }) => String(await next(message)),
    secret: async (message, until) => (until === undefined ? String(await next(message)) : (pasted ?? (await waitForAbort(until)))),
    confirm: async (message) => next(message) === true,
    choose: async (message, choices) => {
      const wanted = await next(message);
      const chosen = choices.find(({ name }) => name === wanted);
      if (chosen === undefined) throw new Error(`not offered: ${wanted}`);
      return chosen.value;
    },
  };
}
