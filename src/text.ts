// Plain text: HTML and terminal control characters taken out of what a server sent, and quoting for a shell.
// The only importer of the package entities.
import { decodeHTMLStrict } from "entities/decode";

/** HTML tags that begin a new line. */
const blockTag = /^<\/?(?:blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b/i;

/** One line of plain text: tags removed, entities decoded, white space collapsed, safe on a terminal. */
export function toPlainText(text: string): string {
  const words = decodeEntities(replaceTags(text, (tag) => (blockTag.test(tag) ? " " : "")));
  return sanitizeLine(words).replace(/\s+/g, " ").trim();
}

/** Replaces each tag by what `replacement` returns for it; comments, scripts and style sheets are removed with their contents. */
export function replaceTags(text: string, replacement: (tag: string) => string): string {
  let result = "";
  let last = 0;
  let hiddenUntil: string | undefined;
  // One pass over the tokens and no pattern that spans contents, so that the time is linear in the length.
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

/** Decodes every character reference that ends in a semicolon, once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? decodeHTMLStrict(text) : text;
}

/** Escape sequences of terminals: OSC and other strings (titles, links) up to their end, CSI (colours, cursor), and the short ones. */
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Control characters and line separators. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Bidirectional controls and characters of no width. */
const invisibleCharacters = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/g;

/** One line that is safe on a terminal: escape sequences and bidirectional controls removed, control characters replaced by a space. Markup and entities stay. */
export function sanitizeLine(text: string): string {
  return text
    .replace(escapeSequences, "")
    .replace(controlCharacters, " ")
    .replace(invisibleCharacters, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The text as one word of a shell, for commands in hints: a title or a server's text must not run as a command when it is pasted. */
export function shellQuote(text: string): string {
  return /^[\w:./%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
