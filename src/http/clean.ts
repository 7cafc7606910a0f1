// Text or HTML of a server made into plain words.
import { decodeEntities } from "./entities.ts";
import { sanitizeLine } from "./line.ts";

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
