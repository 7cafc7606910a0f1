// Console blocks of a Markdown document: what is typed behind `$ `, and what the document shows below it.

/** A command of a document and the lines that it shows. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

/** A document in its parts: lines that nobody runs, and steps. */
export type Part = { readonly text: readonly string[] } | { readonly step: Step };

/** Takes a document apart; lines of ```console blocks that start with `$ ` begin a step, `> ` continues the command. */
export function partsOf(markdown: string): readonly Part[] {
  const parts: Part[] = [];
  let inside = false;
  let step: { command: string; shown: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) {
      inside = line === "```console";
      step = undefined;
    }
    if (inside && line.startsWith("$ ")) {
      step = { command: line.slice(2), shown: [] };
      parts.push({ step });
    } else if (step?.shown.length === 0 && line.startsWith("> ")) step.command += `\n${line.slice(2)}`;
    else if (step !== undefined) step.shown.push(line);
    else parts.push({ text: [line] });
  }
  return parts;
}

/** Puts a document together again. */
export function markdownOf(parts: readonly Part[]): string {
  const lines = parts.flatMap((part) =>
    "text" in part ? part.text : [`$ ${part.step.command.replaceAll("\n", "\n> ")}`, ...part.step.shown],
  );
  return lines.join("\n");
}

/**
 * Whether a document shows what was printed: every line of stdout and of stderr, each in its order, as they mix on a terminal.
 * A line `...` stands for any lines of stdout.
 */
export function isShown(shown: readonly string[], stdout: readonly string[], stderr: readonly string[]): boolean {
  const [line, ...rest] = shown;
  if (line === undefined) return stdout.length === 0 && stderr.length === 0;
  if (line === "..." && stdout.length > 0) return stdout.some((_line, at) => isShown(rest, stdout.slice(at + 1), stderr));
  return (line === stdout[0] && isShown(rest, stdout.slice(1), stderr)) || (line === stderr[0] && isShown(rest, stdout, stderr.slice(1)));
}
