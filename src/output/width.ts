// The width of text on a terminal, and text cut or wrapped to a width, never inside a grapheme. The only importer of string-width.
import stringWidth from "string-width";

/** Characters of one column that never combine with others. Most text has no others, and string-width takes 10 ms to load. */
const narrow = String.raw`\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u2010-\u2015\u2018-\u201f\u2026\u20ac`;
/** Characters of two columns that never combine with others: ideographs, kana and Hangul syllables. */
const wide = String.raw`\u3001-\u3020\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3`;
const narrowPattern = new RegExp(`^[ -~${narrow}]*$`);
const plainPattern = new RegExp(`^[ -~${narrow}${wide}]*$`);
const widePattern = new RegExp(`[${wide}]`, "g");

/** Text is measured in parts of so many UTF-16 units: for a segmenter the time for each grapheme grows with the length of its text. */
const partLength = 256;

/** cli-table3 measures each text twice, and a table has the same texts in many rows. */
const knownWidths = new Map<string, number>();
const maxKnownWidths = 1000;

let graphemeSegmenter: Intl.Segmenter | undefined;

/** Letters of scripts that run from right to left. */
const rightToLeftPattern = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The columns of a text. Above `limit` counting ends: the result is some number above it. */
export function measureWidth(text: string, limit = Number.POSITIVE_INFINITY): number {
  if (text.length <= partLength) return measurePart(text);
  let width = 0;
  for (const part of splitIntoParts(text)) {
    width += measurePart(part);
    if (width > limit) break;
  }
  return width;
}

function measurePart(part: string): number {
  if (narrowPattern.test(part)) return part.length;
  if (plainPattern.test(part)) return part.length + (part.match(widePattern)?.length ?? 0);
  let width = knownWidths.get(part);
  if (width === undefined) {
    width = stringWidth(part);
    if (knownWidths.size >= maxKnownWidths) knownWidths.clear();
    knownWidths.set(part, width);
  }
  return width;
}

/** The text, or its beginning and `…`, in at most `width` columns. */
export function truncateText(text: string, width: number): string {
  let used = 0;
  let at = 0;
  /** Where the text ends that leaves a column for the ellipsis. */
  let end = 0;
  for (const grapheme of splitGraphemes(text)) {
    used += measurePart(grapheme);
    if (used > width) return `${text.slice(0, end)}…`;
    at += grapheme.length;
    if (used < width) end = at;
  }
  return text;
}

/** The words in lines of at most `width` columns; a longer word is broken. Infinity leaves one line. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(" ")) {
    const wordWidth = measureWidth(word, width);
    const longer = line === "" ? wordWidth : used + 1 + wordWidth;
    if (longer <= width) {
      line = line === "" ? word : `${line} ${word}`;
      used = longer;
    } else {
      if (line !== "") lines.push(line);
      const parts = [...splitByWidth(word, width)].filter((part) => part !== "");
      line = parts.pop() ?? "";
      used = measureWidth(line);
      for (const part of parts) lines.push(part);
    }
  }
  lines.push(line);
  return lines;
}

/** Text with right-to-left letters, isolated so that it does not reorder the text beside it. */
export function isolateRightToLeft(text: string): string {
  return rightToLeftPattern.test(text) ? `\u2068${text}\u2069` : text;
}

/** The text in parts of at most `width` columns; the first is empty where not even one grapheme fits, the others have at least one. */
function* splitByWidth(text: string, width: number): Generator<string> {
  let start = 0;
  let at = 0;
  let used = 0;
  for (const grapheme of splitGraphemes(text)) {
    const graphemeWidth = measurePart(grapheme);
    if (used + graphemeWidth > width) {
      yield text.slice(start, at);
      start = at;
      used = 0;
    }
    at += grapheme.length;
    used += graphemeWidth;
  }
  yield text.slice(start);
}

function* splitGraphemes(text: string): Generator<string> {
  for (const part of splitIntoParts(text)) {
    if (plainPattern.test(part)) yield* part;
    else for (const { segment } of segmentGraphemes(part)) yield segment;
  }
}

/** The text in short parts. A grapheme is never in two of them, unless it is longer than a part. */
function* splitIntoParts(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const part = text.slice(at, at + partLength);
    const end = at + part.length < text.length ? findLastGrapheme(part) : part.length;
    yield part.slice(0, end);
    at += end;
  }
}

/** Where the last grapheme begins, which may go on after the part. The end of the part where there is only one. */
function findLastGrapheme(part: string): number {
  if (plainPattern.test(part)) return part.length - 1;
  const start = [...segmentGraphemes(part)].at(-1)?.index ?? 0;
  if (start > 0) return start;
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}

function segmentGraphemes(text: string): Iterable<Intl.SegmentData> {
  graphemeSegmenter ??= new Intl.Segmenter();
  return graphemeSegmenter.segment(text);
}
