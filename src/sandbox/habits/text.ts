// Texts as WordPress gives them out: typographic, entity-encoded, in paragraphs.

/** A title: `&` and quotes become entities, typographic ones; tags stay. */
export function renderTitle(text: string): string {
  return text
    .replace(/&(?!#?\w+;)/g, "&#038;")
    .replaceAll("...", "&#8230;")
    .replaceAll(" -- ", " &#8212; ")
    .replace(/(^|[\s([{<>])"/g, "$1&#8220;")
    .replaceAll('"', "&#8221;")
    .replace(/(^|[\s([{<>])'/g, "$1&#8216;")
    .replaceAll("'", "&#8217;");
}

/** The name of a term: tags are taken out, `&` and the like become entities. */
export function renderTermName(text: string): string {
  return stripTags(text)
    .replace(/&(?!#?\w+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

/** Text without tags. */
export function stripTags(text: string): string {
  return text.replace(/<\/?[a-z!][^>]*>/gi, "").trim();
}

/** A line of a form: without tags, line ends and what looks like a percent-encoded letter. */
export function sanitizeTextField(text: string): string {
  const bare = text
    .replace(/<\/?[a-z!][^>]*>/gi, "")
    .replaceAll("<", "&lt;")
    .replace(/%[a-f\d]{2}/gi, "");
  return bare.replace(/[\r\n\t ]+/g, " ").trim();
}

/** A description, rendered: paragraphs are made where the text has no blocks of its own, and quotes outside of tags are typographic. */
export function renderDescription(text: string): string {
  if (text.trim() === "") return "";
  const blocks = /<(p|ul|ol|div|h[1-6]|table|blockquote|pre)\b/i.test(text);
  const html = blocks
    ? text
    : text
        .trim()
        .split(/\n{2,}/)
        .map((part) => `<p>${part.replaceAll("\n", "<br />\n")}</p>`)
        .join("\n");
  return html
    .split(/(<[^>]*>)/)
    .map((part) => (part.startsWith("<") ? part : renderTitle(part)))
    .join("");
}
