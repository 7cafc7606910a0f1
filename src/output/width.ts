// How wide text is on a terminal, and text cut or wrapped by it, never inside what is read as one character; the only importer of string-width.
import stringWidth from "string-width";

/** Letters and signs of a column each that never combine with what is beside them. Most text is such, and Node takes 10 ms to tell of other. */
const singleWidthPattern =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u2010-\u2015\u2018-\u201f\u2026\u20ac]*$/;

// cli-table3 measures each text twice in a row.
let lastText = "";
let lastWidth = 0;

let graphemeSegmenter: Intl.Segmenter | undefined;

/** Letters of scripts that run from right to left. */
const rightToLeftPattern = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Columns of a terminal that the text takes. */
export function measureWidth(text: string): number {
  if (singleWidthPattern.test(text)) return text.length;
  if (text !== lastText) {
    lastText = text;
    lastWidth = stringWidth(text);
  }
  return lastWidth;
}

/** The text, or its beginning and `…`, in at most so many columns. */
export function truncateText(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const [start = ""] = splitByWidth(text, width - 1);
  return `${start}…`;
}

/** The words in lines of at most so many columns; a word that is longer is broken. Infinity leaves one line. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (measureWidth(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      const parts = [...splitByWidth(word, width)].filter((part) => part !== "");
      line = parts.pop() ?? "";
      lines.push(...parts);
    }
  }
  return [...lines, line];
}

/** Text that runs from right to left, kept from turning its neighbours around. */
export function isolateRightToLeft(text: string): string {
  return rightToLeftPattern.test(text) ? `\u2068${text}\u2069` : text;
}

/** The text in parts of at most so many columns; the first is empty where not even one grapheme fits, the others hold at least one. */
function* splitByWidth(text: string, width: number): Generator<string> {
  let part = "";
  let used = 0;
  for (const grapheme of splitGraphemes(text)) {
    const wide = measureWidth(grapheme);
    if (used + wide > width) {
      yield part;
      part = "";
      used = 0;
    }
    part += grapheme;
    used += wide;
  }
  yield part;
}

/** What is read as one character each. */
function splitGraphemes(text: string): Iterable<string> {
  if (singleWidthPattern.test(text)) return text;
  graphemeSegmenter ??= new Intl.Segmenter();
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}
