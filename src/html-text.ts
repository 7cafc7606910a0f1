// HTML as plain text: tags removed and character references decoded. The only importer of the package entities.
import { decodeHTMLStrict } from "entities/decode";
import { sanitizeLine } from "./text.ts";

/** HTML tags that begin a new line. */
const blockTag = /^<\/?(?:blockquote|br|dd|div|dl|dt|figure|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)\b/i;

/** One line of plain text: markup removed, white space collapsed, safe on a terminal. */
export function toPlainText(text: string): string {
  return sanitizeLine(removeMarkup(text)).replace(/\s+/g, " ").trim();
}

/** The words of a text: tags removed and entities decoded. White space and control characters stay. */
export function removeMarkup(text: string): string {
  return decodeEntities(replaceTags(text, (tag) => (blockTag.test(tag) ? " " : "")));
}

/** Replaces each tag by what `replacement` returns for it; comments, scripts and style sheets are removed with their contents. */
export function replaceTags(text: string, replacement: (tag: string) => string): string {
  if (!/[<>]/.test(text)) return text;
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
