// Questions on the terminal through inquirer, the only importer of it.
import { emitKeypressEvents } from "node:readline";
import inquirer from "inquirer";
import { CalError } from "../errors.ts";
import type { Prompt, PromptStreams } from "./prompt.ts";

/** The prompt of a terminal: it draws on the output given, which is stderr, so that stdout holds data only. */
export function inquirerPrompt({ stdin, stderr }: PromptStreams): Prompt {
  // Node (20, some of 24) moves pasted characters to the end of the line; not so where keys were told apart before its readline came.
  emitKeypressEvents(stdin);
  const module = inquirer.createPromptModule({ input: stdin, output: stderr });
  const ask = async (question: object): Promise<unknown> => {
    const asking = module<Record<"answer", unknown>>([{ ...question, name: "answer" } as never]);
    const stopHearing = onEnd(stdin, () => asking.ui.close());
    try {
      return (await asking).answer;
    } catch (error) {
      if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw new CalError("interrupted", "interrupted");
      throw error;
    } finally {
      stopHearing();
    }
  };
  return {
    text: async (question) => String(await ask({ type: "input", ...question })),
    secret: async (message) => String(await ask({ type: "password", message, mask: false })),
    confirm: async (message, fallback = false) => (await ask({ type: "confirm", message, default: fallback })) === true,
    choose: async (message, choices) => {
      const index = Number(await ask({ type: "select", message, choices: choices.map(({ name }, value) => ({ name, value })) }));
      const chosen = choices[index];
      if (chosen === undefined) throw new CalError("internal", "the choice was none of those offered");
      return chosen.value;
    },
  };
}

/** Ctrl-D on an empty line: readline gives the terminal back, and inquirer would wait for ever for its answer. */
function onEnd(stdin: PromptStreams["stdin"], end: () => void): () => void {
  const hear = (_text: unknown, key: { readonly ctrl?: boolean; readonly name?: string }) => {
    if (key.ctrl !== true || key.name !== "d") return;
    // Readline may hear of the key after us.
    setImmediate(() => {
      if (stdin.isRaw === false) end();
    });
  };
  stdin.on("keypress", hear);
  return () => stdin.removeListener("keypress", hear);
}
