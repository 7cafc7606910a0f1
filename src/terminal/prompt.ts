// Questions on the terminal; asked only on a terminal and only for what is missing. The only importer of inquirer.

import type { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import { CalError } from "../errors.ts";
import { once } from "../once.ts";
import type { Style } from "./style.ts";

/** Every question rejects with a CalError of kind `interrupted` on Ctrl-C, and on Ctrl-D where nothing is typed yet. */
export interface Prompt {
  text(question: { message: string; default?: string; validate?: (answer: string) => true | string }): Promise<string>;
  /** What is typed is not shown. When `until` is aborted, the question rejects like one that was interrupted. */
  secret(message: string, until?: AbortSignal): Promise<string>;
  confirm(message: string, fallback?: boolean): Promise<boolean>;
  choose<T>(message: string, choices: readonly { name: string; value: T }[]): Promise<T>;
}

/** The parts of Node's `process` that questions need. The streams are read when the first question is asked. */
export interface PromptStreams {
  readonly platform: string;
  readonly stdin: NodeJS.ReadableStream & Partial<Pick<ReadStream, "isRaw">>;
  readonly stderr: NodeJS.WritableStream & Partial<Pick<WriteStream, "columns">>;
  on(signal: "SIGCONT", listener: () => void): unknown;
  off(signal: "SIGCONT", listener: () => void): unknown;
}

/** The prompt of a terminal. It draws on stderr, so that stdout holds data only. inquirer is loaded when the first question is asked. */
export function createPrompt(streams: PromptStreams, style: Style): Prompt {
  const theme = createTheme(style);
  const load = once(async () => {
    const [{ default: inquirer }, { emitKeypressEvents }] = await Promise.all([import("inquirer"), import("node:readline")]);
    // Node (20, some of 24) moves pasted characters to the end of the line, unless keypress events start before its readline does.
    emitKeypressEvents(streams.stdin);
    return inquirer;
  });
  const ask = async (question: { readonly message: string } & Readonly<Record<string, unknown>>, until?: AbortSignal): Promise<unknown> => {
    const inquirer = await load();
    const canvas = await createRedrawableOutput(streams.stderr);
    if (until?.aborted === true) throw new CalError("interrupted", "interrupted");
    const module = inquirer.createPromptModule({ input: streams.stdin, output: canvas.output });
    const asking = module<Record<"answer", unknown>>([{ ...question, theme, name: "answer" } as never]);
    const close = () => asking.ui.close();
    until?.addEventListener("abort", close);
    const removeListeners = handleControlKeys(streams, close, canvas.redraw);
    try {
      return (await asking).answer;
    } catch (error) {
      if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw new CalError("interrupted", "interrupted");
      throw error;
    } finally {
      until?.removeEventListener("abort", close);
      removeListeners();
    }
  };
  return {
    text: async (question) => String(await ask({ type: "input", ...question })),
    secret: async (message, until) => String(await ask({ type: "password", message, mask: false }, until)),
    confirm: async (message, fallback = false) => (await ask({ type: "confirm", message, default: fallback })) === true,
    choose: async (message, choices) => {
      const index = Number(
        await ask({ type: "select", message, pageSize: 12, choices: choices.map(({ name }, value) => ({ name, value })) }),
      );
      const chosen = choices[index];
      if (chosen === undefined) throw new CalError("internal", "the choice was none of those offered");
      return chosen.value;
    },
  };
}

/** The colours of inquirer, which would otherwise ask Node: that looks at stdout and knows no flags. */
function createTheme({ bold, dim, red, green, cyan }: Style) {
  return {
    prefix: { idle: cyan("?"), done: green("✔") },
    // With vim keys off, typing searches the choices, and a key that types nothing goes to the first one: Left, Escape, Ctrl-Z.
    keybindings: ["vim", "emacs"],
    style: {
      answer: cyan,
      // inquirer also passes the state of the question, which a style would print.
      message: (text: string) => bold(text),
      error: (text: string) => red(`> ${text}`),
      defaultAnswer: (text: string) => dim(`(${text})`),
      help: dim,
      highlight: cyan,
      keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
        keys.map(([key, action]) => `${bold(key)} ${dim(action)}`).join(dim(" • ")),
    },
  };
}

/** The cursor, and a line of its own for what the shell prints. */
const showCursorSequence = "\u001b[?25h\n";

/**
 * Handles two keys after which inquirer would no longer react: after Ctrl-D on an empty line readline has left raw mode, and after Ctrl-Z
 * and `fg` it does not read until it is resumed. Returns what removes the listeners.
 */
function handleControlKeys(streams: PromptStreams, close: () => void, redraw: () => void): () => void {
  const { stdin, stderr, platform } = streams;
  // These listeners run before those of readline.
  const onKey = (_text: unknown, key: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (key.ctrl === true && key.name === "d") setImmediate(() => stdin.isRaw === true || close());
    if (key.ctrl === true && key.name === "z" && platform !== "win32") stderr.write(showCursorSequence);
  };
  const onContinue = () => {
    setImmediate(() => {
      if (stdin.isRaw !== true) return;
      stdin.resume();
      redraw();
    });
  };
  stdin.on("keypress", onKey);
  streams.on("SIGCONT", onContinue);
  return () => {
    stdin.removeListener("keypress", onKey);
    streams.off("SIGCONT", onContinue);
    // If it was resumed above, readline believes that it is still paused.
    stdin.pause();
  };
}

/** What a drawing starts with: moves to the last drawing, and its erasure. */
const erasePrefixPattern = /^(?:\u001b\[\d*[A-K])+/;

/** A stream that draws on the terminal, and can draw the last drawing again from the line of the cursor on. Each write is a drawing or moves the cursor in it. */
async function createRedrawableOutput(
  terminal: PromptStreams["stderr"],
): Promise<{ readonly output: Writable; readonly redraw: () => void }> {
  const { Writable } = await import("node:stream");
  let drawing = "";
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: unknown, _encoding, done) => {
      const text = String(chunk);
      drawing = text.replace(erasePrefixPattern, "") || drawing;
      terminal.write(text);
      done();
    },
  });
  // inquirer wraps lines by it, also after the window has changed.
  Object.defineProperty(output, "columns", { get: () => terminal.columns });
  return { output, redraw: () => void terminal.write(drawing) };
}

/** The same questions, with a change to every text in them. */
export function mapPromptText(prompt: Prompt, map: (text: string) => string): Prompt {
  return {
    text: ({ message, validate, ...rest }) => {
      const mapped = (answer: string) => {
        const problem = validate?.(answer) ?? true;
        return problem === true ? problem : map(problem);
      };
      return prompt.text({ ...rest, message: map(message), validate: mapped });
    },
    secret: (message, until) => prompt.secret(map(message), until),
    confirm: (message, fallback) => prompt.confirm(map(message), fallback),
    choose: (message, choices) =>
      prompt.choose(
        map(message),
        choices.map(({ name, value }) => ({ name: map(name), value })),
      ),
  };
}

/** The same questions, each asked inside `around`. */
export function wrapPromptCalls(prompt: Prompt, around: <T>(ask: () => Promise<T>) => Promise<T>): Prompt {
  return {
    text: (question) => around(() => prompt.text(question)),
    secret: (message, until) => around(() => prompt.secret(message, until)),
    confirm: (message, fallback) => around(() => prompt.confirm(message, fallback)),
    choose: (message, choices) => around(() => prompt.choose(message, choices)),
  };
}
