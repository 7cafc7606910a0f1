// Console blocks of a Markdown document: what is typed behind `$ `, and what the document shows below it.

/** A command of a document and the lines that it shows. */
export interface ConsoleStep {
  readonly command: string;
  readonly expectedOutput: readonly string[];
}

/** A document in its parts: lines that nobody runs, and steps. */
export type DocumentPart = { readonly text: readonly string[] } | { readonly step: ConsoleStep };

/** Takes a document apart; lines of ```console blocks that start with `$ ` begin a step, `> ` continues the command. */
export function parseDocument(markdown: string): readonly DocumentPart[] {
  const parts: DocumentPart[] = [];
  let inside = false;
  let step: { command: string; expectedOutput: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) {
      inside = line === "```console";
      step = undefined;
    }
    if (inside && line.startsWith("$ ")) {
      step = { command: line.slice(2), expectedOutput: [] };
      parts.push({ step });
    } else if (step?.expectedOutput.length === 0 && line.startsWith("> ")) step.command += `\n${line.slice(2)}`;
    else if (step !== undefined) step.expectedOutput.push(line);
    else parts.push({ text: [line] });
  }
  return parts;
}

/** Puts a document together again. */
export function formatDocument(parts: readonly DocumentPart[]): string {
  const lines = parts.flatMap((part) =>
    "text" in part ? part.text : [`$ ${part.step.command.replaceAll("\n", "\n> ")}`, ...part.step.expectedOutput],
  );
  return lines.join("\n");
}

/**
 * Whether a document shows what was printed: every line of stdout and of stderr, each in its order, as they mix on a terminal.
 * A line `...` stands for any lines of stdout.
 */
export function matchesOutput(expectedOutput: readonly string[], stdout: readonly string[], stderr: readonly string[]): boolean {
  const [line, ...rest] = expectedOutput;
  if (line === undefined) return stdout.length === 0 && stderr.length === 0;
  if (line === "..." && stdout.length > 0) return stdout.some((_line, at) => matchesOutput(rest, stdout.slice(at + 1), stderr));
  return (
    (line === stdout[0] && matchesOutput(rest, stdout.slice(1), stderr)) ||
    (line === stderr[0] && matchesOutput(rest, stdout, stderr.slice(1)))
  );
}
