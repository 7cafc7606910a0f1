// Questions to a person; asked only on a terminal and only for what is missing.

import type { ReadStream, WriteStream } from "node:tty";
import { once } from "../once.ts";
import type { Style } from "./style.ts";

/** Every question rejects with a CalError of kind `interrupted` on Ctrl-C, and on Ctrl-D where nothing is typed yet. */
export interface Prompt {
  text(question: { message: string; default?: string; validate?: (answer: string) => true | string }): Promise<string>;
  /** What is typed is not shown. With `until` the question is given up as soon as that is aborted: it rejects like one that was interrupted. */
  secret(message: string, until?: AbortSignal): Promise<string>;
  confirm(message: string, fallback?: boolean): Promise<boolean>;
  choose<T>(message: string, choices: readonly { name: string; value: T }[]): Promise<T>;
}

/**
 * The streams of the terminal as Node has them: stdin, and stderr to draw on; and the signal that the process goes on after it was stopped.
 * They are looked at when the first question is asked.
 */
export interface PromptStreams {
  /** As Node names it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isRaw">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "columns">>;
  on(signal: "SIGCONT", hear: () => void): unknown;
  off(signal: "SIGCONT", hear: () => void): unknown;
}

/** The same questions, with everything that is said in them laid out. */
export function mapPromptText(prompt: Prompt, lay: (text: string) => string): Prompt {
  return {
    text: ({ message, validate, ...rest }) => {
      const judge = (answer: string) => {
        const verdict = validate?.(answer) ?? true;
        return verdict === true ? verdict : lay(verdict);
      };
      return prompt.text({ ...rest, message: lay(message), validate: judge });
    },
    secret: (message, until) => prompt.secret(lay(message), until),
    confirm: (message, fallback) => prompt.confirm(lay(message), fallback),
    choose: (message, choices) =>
      prompt.choose(
        lay(message),
        choices.map(({ name, value }) => ({ name: lay(name), value })),
      ),
  };
}

/** The same questions, each asked within something else. */
export function wrapPromptCalls(prompt: Prompt, around: <T>(ask: () => Promise<T>) => Promise<T>): Prompt {
  return {
    text: (question) => around(() => prompt.text(question)),
    secret: (message, until) => around(() => prompt.secret(message, until)),
    confirm: (message, fallback) => around(() => prompt.confirm(message, fallback)),
    choose: (message, choices) => around(() => prompt.choose(message, choices)),
  };
}

// The questions of the terminal, whose library is loaded when the first one is asked.

/** A prompt that loads its library at the first question. */
export function createPrompt(streams: PromptStreams, style: Style): Prompt {
  const prompt = once(async () => (await import("./inquirer.ts")).createInquirerPrompt(streams, style));
  return {
    text: async (question) => (await prompt()).text(question),
    secret: async (message, until) => (await prompt()).secret(message, until),
    confirm: async (message, fallback) => (await prompt()).confirm(message, fallback),
    choose: async (message, choices) => (await prompt()).choose(message, choices),
  };
}
