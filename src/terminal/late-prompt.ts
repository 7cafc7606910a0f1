// The questions of the terminal, whose library is loaded when the first one is asked.
import { once } from "../once.ts";
import type { Prompt, PromptStreams } from "./prompt.ts";
import type { Style } from "./style.ts";

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
