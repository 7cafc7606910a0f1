// How a user points at a record: by id, by slug, or by name.
import { type CalError, usageError } from "../errors.ts";
import { shellQuote } from "../http/shell-word.ts";
import { decodeSlug, encodeSlug, isSlug } from "./address.ts";

/** A ref that can be put into a path. */
export type PathRef = { readonly by: "id"; readonly id: string } | { readonly by: "slug"; readonly slug: string };

/** A ref as it was typed; a name has to be looked up first. */
export type Ref = PathRef | { readonly by: "name"; readonly name: string };

/**
 * What a slug has that nobody took for a name: a server makes a slug of anything else before it looks for it, and finds another record.
 * Beyond ASCII a WordPress site keeps all but capitals, blanks, dashes and quotes.
 */
const bareSlugPattern = /^(?:[a-z0-9_-]|(?![\p{Lu}\p{Lt}\p{C}\p{Z}\p{Pd}\p{Pi}\p{Pf}])\P{ASCII})+$/u;

/** Whether a text is taken for a slug without `slug:` before it; percent-encoding aside. */
export function isBareSlug(text: string): boolean {
  return bareSlugPattern.test(decodeSlug(text));
}

/** Reads `123`, `#123`, `id:123`, `slug:jazz-night`, `jazz-night`, `name:Blue Note`. Throws a usage error for what can't be a ref. */
export function parseRef(text: string): Ref {
  const given = text.trim();
  const [, kind, rest] = /^(id|slug|name):(.*)$/s.exec(given) ?? [undefined, undefined, given];
  const value = (rest ?? "").trim().replace(/^"(.*)"$/s, "$1");
  if (value === "")
    throw usageError(`${JSON.stringify(text)} is no ref: it is empty`, 'a ref is 123, slug:jazz-night, jazz-night or name:"Blue Note"');
  if (kind === "id" || (kind === undefined && /^#?\d+$/.test(value))) {
    const id = value.replace(/^#/, "");
    if (!/^\d+$/.test(id)) throw usageError(`${JSON.stringify(text)} is no ref: an id is digits only`);
    return { by: "id", id };
  }
  if (kind === undefined && /^#?\d+(?:\s*[,;]\s*#?\d+)+$/.test(value))
    throw usageError(
      `${JSON.stringify(text)} is several ids in one word`,
      `write them with spaces between them: ${value.match(/\d+/g)?.join(" ")}`,
    );
  if (kind === "name") return { by: "name", name: value };
  if (kind === undefined && !isBareSlug(value)) throw bareSlugError(value);
  encodeSlug(value);
  return { by: "slug", slug: value };
}

function bareSlugError(text: string): CalError {
  const byName = `by its name: ${shellQuote(`name:${text}`)}`;
  const hint = isSlug(text) ? `${byName}; by exactly this slug: ${shellQuote(`slug:${text}`)}` : byName;
  return usageError(`${JSON.stringify(text)} is no ref as it stands: a bare slug has lower-case letters, digits, - and _ only`, hint);
}
