// A prompt that answers from a list, in order, and records the questions.
import type { Prompt } from "../../../src/terminal/prompt.ts";

export interface ScriptedPrompt extends Prompt {
  /** Every question with what was reported for an answer that was refused. */
  readonly transcript: string[];
  /** What is still to be answered; a text picks the first choice that begins with it. */
  readonly answers: (string | boolean)[];
}

/** A user with these answers; a question beyond the last is an error. */
export function createScriptedPrompt(...answers: (string | boolean)[]): ScriptedPrompt {
  const transcript: string[] = [];
  const next = (message: string) => {
    transcript.push(message);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`nobody answers: ${message}`);
    return answer;
  };
  return {
    transcript,
    answers,
    text: async ({ message, default: fallback, validate }) => {
      for (;;) {
        const entered = String(next(message));
        const answer = entered === "" ? (fallback ?? "") : entered;
        const verdict = validate?.(answer) ?? true;
        if (verdict === true) return answer;
        transcript.push(`! ${verdict}`);
      }
    },
    secret: async (message) => String(next(message)),
    confirm: async (message) => next(message) === true,
    choose: async (message, choices) => {
      const answer = String(next([message, ...choices.map(({ name }) => `  ${name}`)].join("\n")));
      const chosen = choices.find(({ name }) => name.startsWith(answer));
      if (chosen === undefined) throw new Error(`no choice begins with ${answer}`);
      return chosen.value;
    },
  };
}
