// What a command says beside its data, on stderr.
import { oneLine } from "../http/line.ts";
import type { Output } from "../terminal/io.ts";

/** Says it, as text that no terminal acts on. What can't be written stops nothing: the work may be half done, and its data is still to come. */
export function voiceOn(stderr: Output, quiet: boolean) {
  let unheard = false;
  const say = (text: string): Promise<void> =>
    laidOut(harmless(text), stderr)
      .then((lines) => stderr.write(`${lines}\n`))
      .catch(() => {
        unheard = true;
      });
  const notice = async (text: string | (() => string)): Promise<void> => {
    if (!quiet) await say(typeof text === "string" ? text : text());
  };
  const warn = (text: string): Promise<void> => say(`warning: ${text}`);
  return { say, notice, warn, unheard: () => unheard };
}

/** On a terminal lines end between words. */
async function laidOut(text: string, { isTTY, columns }: Output): Promise<string> {
  if (!isTTY) return text;
  const { wrapMessage } = await import("../output/message.ts");
  return wrapMessage(text, columns);
}

/** Columns beside a question: its sign before it, and behind it what Enter stands for. */
const beside = 10;

/** What breaks the words of a question into lines, with room for the sign before it and the beginning of an answer. */
export async function questionLines(terminal: Output): Promise<(text: string) => string> {
  const { wrapMessage } = await import("../output/message.ts");
  return (text) => wrapMessage(text, terminal.columns === undefined ? undefined : terminal.columns - beside);
}

/** What a server sent may be anywhere in what is said. */
function harmless(text: string): string {
  return text.split("\n").map(oneLine).join("\n");
}
