// Descriptions: HTML as paragraphs of plain text.
import { replaceTags } from "../http/clean.ts";
import { decodeEntities } from "../http/entities.ts";
import { sanitizeLine } from "../http/line.ts";

const paragraphTagPattern = /^<\/?(?:blockquote|div|dl|figure|h[1-6]|hr|ol|p|pre|section|table|ul)\b/i;
const lineBreakTagPattern = /^<(?:br|dd|dt|tr)\b/i;

/** The lines of a text: paragraphs with an empty line between them, list items with a dash, links with their address; safe on a terminal. */
export function htmlToLines(html: string): readonly string[] {
  const isMarkup = /<[a-z!/]/i.test(html);
  const text = isMarkup ? replaceTags(html.replace(/\s+/g, " "), createTagReplacer()) : html;
  const lines = decodeEntities(text)
    .split(/\r?\n/)
    .map((line) => sanitizeLine(line).replace(/\s+/g, " ").trim());
  const spaced = lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "");
  return spaced.at(-1) === "" ? spaced.slice(0, -1) : spaced;
}

/** What stands for a tag; it remembers the link that is open. */
function createTagReplacer(): (tag: string) => string {
  let link = "";
  return (tag) => {
    if (/^<a\s/i.test(tag)) link = /\shref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? "";
    if (/^<\/a\b/i.test(tag) && link !== "") {
      const address = ` (${link})`;
      link = "";
      return address;
    }
    if (/^<li\b/i.test(tag)) return "\n- ";
    if (paragraphTagPattern.test(tag)) return "\n\n";
    return lineBreakTagPattern.test(tag) ? "\n" : /^<\/?t[dh]\b/i.test(tag) ? " " : "";
  };
}
