// The form that the value of a flag must have beyond its type. --set and --data send what they are given.
import { shellQuote } from "../../../http/shell-word.ts";
import type { Field, FieldFormat } from "../../../spec/field.ts";

/** What is taken, and whether a text is that. */
interface FormatRule {
  readonly expected: string;
  readonly test: (text: string) => boolean;
}

const isUrl = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text) && URL.canParse(text);

const formatRules: Partial<Record<FieldFormat, FormatRule>> = {
  // Which dates and zones there are is told where they are read.
  "date-time": { expected: "a date", test: () => true },
  "time-zone": { expected: "a zone", test: () => true },
  url: { expected: "a url", test: isUrl },
  email: { expected: "an e-mail address", test: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  image: { expected: "an ID or a url", test: (text) => /^\d+$/.test(text) || isUrl(text) },
  number: { expected: "a number", test: (text) => /^[+-]?\d+(?:\.\d+)?$/.test(text) },
};

/** What is wrong with the text of a flag, as the rest of a sentence; undefined where nothing is. */
export function validateFormat({ name, format, required, requires }: Field, text: string): string | undefined {
  const form = format === undefined ? undefined : formatRules[format];
  // Servers take such a name for a fault of their own.
  if (form === undefined) return required === true && /^\s+$/.test(text) ? "takes a text, not white space alone" : undefined;
  if (text.trim() === "")
    return `is empty: it takes ${form.expected}${required === true || requires !== undefined ? "" : `; update empties a field with --clear ${name}`}`;
  if (form.test(text)) return undefined;
  const meant = format === "url" && /^[^\s/@]+\.[^\s@]+$/.test(text) && isUrl(`https://${text}`) ? ` (did you mean https://${text}?)` : "";
  const other = format === "number" ? "" : `; as it is: --set ${name}=${shellQuote(text)}`;
  return `takes ${form.expected}, not ${JSON.stringify(text)}${meant}${other}`;
}
