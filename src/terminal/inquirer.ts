// Questions on the terminal through inquirer, the only importer of it.

import { emitKeypressEvents } from "node:readline";
import inquirer from "inquirer";
import { CalError } from "../errors.ts";
import { createRedrawableOutput } from "./io.ts";
import type { Prompt, PromptStreams } from "./prompt.ts";
import type { Style } from "./style.ts";

/** The type of a question, and what else is said of it, in inquirer's words. */
type Question = { readonly message: string } & Readonly<Record<string, unknown>>;

/** The prompt of a terminal: it draws on the output given, which is stderr, so that stdout holds data only. */
export function createInquirerPrompt(streams: PromptStreams, style: Style): Prompt {
  const { stdin, stderr } = streams;
  // Node (20, some of 24) moves pasted characters to the end of the line; not so where keys were told apart before its readline came.
  emitKeypressEvents(stdin);
  const theme = createTheme(style);
  const ask = async (question: Question, until?: AbortSignal): Promise<unknown> => {
    if (until?.aborted === true) throw new CalError("interrupted", "interrupted");
    const canvas = createRedrawableOutput(stderr);
    const module = inquirer.createPromptModule({ input: stdin, output: canvas.output });
    const asking = module<Record<"answer", unknown>>([{ ...question, theme, name: "answer" } as never]);
    const end = () => asking.ui.close();
    until?.addEventListener("abort", end);
    const leave = handleControlKeys(streams, end, canvas.redraw);
    try {
      return (await asking).answer;
    } catch (error) {
      if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw new CalError("interrupted", "interrupted");
      throw error;
    } finally {
      until?.removeEventListener("abort", end);
      leave();
    }
  };
  return {
    text: async (question) => String(await ask({ type: "input", ...question })),
    secret: async (message, until) => String(await ask({ type: "password", message, mask: false }, until)),
    confirm: async (message, fallback = false) => (await ask({ type: "confirm", message, default: fallback })) === true,
    choose: async (message, choices) => {
      const index = Number(await ask({ type: "select", message, choices: choices.map(({ name }, value) => ({ name, value })) }));
      const chosen = choices[index];
      if (chosen === undefined) throw new CalError("internal", "the choice was none of those offered");
      return chosen.value;
    },
  };
}

/** All that inquirer paints in our questions: by itself it would ask Node, which looks at stdout and knows no flags. */
function createTheme({ bold, dim, red, green, cyan }: Style) {
  return {
    prefix: { idle: cyan("?"), done: green("✔") },
    // Without vim's, choices are looked for by what is typed, and a key that types nothing goes to the first: Left, Escape, Ctrl-Z.
    keybindings: ["vim", "emacs"],
    style: {
      answer: cyan,
      // It is given the state of the question too, which a style would print.
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

/** And a line of its own for what the shell says. */
const showCursorSequence = "\u001b[?25h\n";

/**
 * Does what inquirer leaves undone of what readline tells it, which would leave the question deaf: after Ctrl-D on an empty line readline
 * has given the terminal back, and after Ctrl-Z and `fg` it reads no more until it is told to.
 */
function handleControlKeys(streams: PromptStreams, ended: () => void, backAgain: () => void): () => void {
  const { stdin, stderr, platform } = streams;
  // Both are heard before readline has done its part.
  const onKey = (_text: unknown, key: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (key.ctrl === true && key.name === "d") setImmediate(() => stdin.isRaw === true || ended());
    if (key.ctrl === true && key.name === "z" && platform !== "win32") stderr.write(showCursorSequence);
  };
  const onContinue = () => {
    setImmediate(() => {
      if (stdin.isRaw !== true) return;
      stdin.resume();
      backAgain();
    });
  };
  stdin.on("keypress", onKey);
  streams.on("SIGCONT", onContinue);
  return () => {
    stdin.removeListener("keypress", onKey);
    streams.off("SIGCONT", onContinue);
    // Where it was resumed here, readline takes it to be paused still.
    stdin.pause();
  };
}
