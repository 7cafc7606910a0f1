// The width of text on a terminal, and text cut or wrapped to a width, never inside a grapheme. The only importer of string-width.
import stringWidth from "string-width";

/** Characters of one column that never combine with others. Most text has no others, and string-width takes 10 ms to load. */
const singleWidthPattern =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u2010-\u2015\u2018-\u201f\u2026\u20ac]*$/;

// cli-table3 measures each text twice in a row.
let lastText = "";
let lastWidth = 0;

let graphemeSegmenter: Intl.Segmenter | undefined;

/** Letters of scripts that run from right to left. */
const rightToLeftPattern = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function measureWidth(text: string): number {
  if (singleWidthPattern.test(text)) return text.length;
  if (text !== lastText) {
    lastText = text;
    lastWidth = stringWidth(text);
  }
  return lastWidth;
}

/** The text, or its beginning and `…`, in at most `width` columns. */
export function truncateText(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const [start = ""] = splitByWidth(text, width - 1);
  return `${start}…`;
}

/** The words in lines of at most `width` columns; a longer word is broken. Infinity leaves one line. */
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

/** Text with right-to-left letters, isolated so that it does not reorder the text beside it. */
export function isolateRightToLeft(text: string): string {
  return rightToLeftPattern.test(text) ? `\u2068${text}\u2069` : text;
}

/** The text in parts of at most `width` columns; the first is empty where not even one grapheme fits, the others have at least one. */
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

function splitGraphemes(text: string): Iterable<string> {
  if (singleWidthPattern.test(text)) return text;
  graphemeSegmenter ??= new Intl.Segmenter();
  return Array.from(graphemeSegmenter.segment(text), ({ segment }) => segment);
}
