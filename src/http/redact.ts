// Secrets that a server repeats are blanked in what is told of its answer.
import { decodeHTMLStrict } from "entities/decode";

/** Shorter ones may stand in any word, so they are blanked only where they are one by themselves. */
const minUnambiguousLength = 8;

/** The text with `***` for every secret in it, as it is or as it stands in an address or a form. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(getEncodedForms))].filter((form) => form !== "");
  if (forms.length === 0) return text;
  // The longest first, all in one go: one may be a part of another, or of what stands for it.
  const patterns = forms.sort((a, b) => b.length - a.length).map(toSecretPattern);
  return text.replace(new RegExp(patterns.join("|"), "gu"), "***");
}

/** The secrets in a header's value: `Bearer x` holds x, and `Basic x` the password that is packed in x. */
export function extractSecrets(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [rest, pair.slice(pair.indexOf(":") + 1)];
}

/** Secrets that are no word of everyday texts. */
export function filterUnambiguousSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= minUnambiguousLength);
}

function getEncodedForms(secret: string): readonly string[] {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, form, form.replaceAll("+", "%20")];
}

function toSecretPattern(form: string): string {
  const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return form.length < minUnambiguousLength ? `(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])` : exact;
}

// Text or HTML of a server made into plain words.

/** What HTML starts a new line for. */
const blockTag = /^<\/?(?:blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b/i;

/** One line of plain words: tags gone, entities decoded, white space collapsed, safe on a terminal. */
export function toPlainText(text: string): string {
  const words = decodeEntities(replaceTags(text, (tag) => (blockTag.test(tag) ? " " : "")));
  return sanitizeLine(words).replace(/\s+/g, " ").trim();
}

/** The text with each tag replaced by what `replacement` makes of it; comments, scripts and style sheets go with their contents. */
export function replaceTags(text: string, replacement: (tag: string) => string): string {
  let result = "";
  let last = 0;
  let hiddenUntil: string | undefined;
  // One pass over the tokens and no pattern that spans contents, so that time grows with the length alone.
  for (const { 0: token, index } of text.matchAll(/<!--|-->|<\/?[a-z][^<>]*>/gi)) {
    const name = /^<\/?[a-z0-9]+/i.exec(token)?.[0].toLowerCase() ?? token;
    if (hiddenUntil === undefined) {
      result += text.slice(last, index);
      if (token === "<!--") hiddenUntil = "-->";
      else if (name === "<script" || name === "<style") hiddenUntil = name.replace("<", "</");
      else result += token === "-->" ? token : replacement(token);
    } else if (name === hiddenUntil) hiddenUntil = undefined;
    last = index + token.length;
  }
  return hiddenUntil === undefined ? result + text.slice(last) : result;
}

// Texts in commands that a person may paste from a hint: a server or a title has its word there too.

/** The text as one word of a shell, quoted where it holds anything that a shell could take otherwise. */
export function shellQuote(text: string): string {
  return /^[\w:./%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// Character references of HTML (`&#038;`, `&amp;`); the only importer of the package entities.

/** The text with every character reference that ends in a semicolon decoded, once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? decodeHTMLStrict(text) : text;
}

// Text of a server made safe for one line of a terminal.

/** Escape sequences of terminals: titles and links (OSC and its kin, up to their end), colours and cursor moves (CSI), and the short rest. */
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Control characters and line separators: where they stood, a space keeps the words apart. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Characters that turn the text around them or can't be seen. */
const invisibleCharacters = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/g;

/** One line: escape sequences and bidirectional overrides gone, control characters and line ends blanked. Markup and entities stay. */
export function sanitizeLine(text: string): string {
  return text
    .replace(escapeSequences, "")
    .replace(controlCharacters, " ")
    .replace(invisibleCharacters, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}
