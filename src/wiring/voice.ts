// What a command says beside its data, on stderr.
import { sanitizeLine } from "../http/line.ts";
import type { Output } from "../terminal/io.ts";

/** Says it, as text that no terminal acts on. What can't be written stops nothing: the work may be half done, and its data is still to come. */
export function createStderrWriter(stderr: Output, quiet: boolean) {
  let stderrFailed = false;
  const say = (text: string): Promise<void> =>
    wrapForTerminal(sanitizeLines(text), stderr)
      .then((lines) => stderr.write(`${lines}\n`))
      .catch(() => {
        stderrFailed = true;
      });
  const notice = async (text: string | (() => string)): Promise<void> => {
    if (!quiet) await say(typeof text === "string" ? text : text());
  };
  const warn = (text: string): Promise<void> => say(`warning: ${text}`);
  return { say, notice, warn, stderrFailed: () => stderrFailed };
}

/** On a terminal lines end between words. */
async function wrapForTerminal(text: string, { isTTY, columns }: Output): Promise<string> {
  if (!isTTY) return text;
  const { wrapMessage } = await import("../output/message.ts");
  return wrapMessage(text, columns);
}

/** Columns beside a question: its sign before it, and behind it what Enter stands for. */
const promptMargin = 10;

/** What breaks the words of a question into lines, with room for the sign before it and the beginning of an answer. */
export async function createQuestionWrapper(terminal: Output): Promise<(text: string) => string> {
  const { wrapMessage } = await import("../output/message.ts");
  return (text) => wrapMessage(text, terminal.columns === undefined ? undefined : terminal.columns - promptMargin);
}

/** What a server sent may be anywhere in what is said. */
function sanitizeLines(text: string): string {
  return text.split("\n").map(sanitizeLine).join("\n");
}
