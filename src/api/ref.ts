// How a user points at a record: by id, by slug, or by name.
import { usage } from "../errors.ts";

/** A ref that can be put into a path. */
export type PathRef = { readonly by: "id"; readonly id: string } | { readonly by: "slug"; readonly slug: string };

/** A ref as it was typed; a name has to be looked up first. */
export type Ref = PathRef | { readonly by: "name"; readonly name: string };

/** Reads `123`, `id:123`, `slug:jazz-night`, `jazz-night`, `name:Blue Note`. Throws a usage error for what can't be a ref. */
export function parseRef(text: string): Ref {
  const given = text.trim();
  const [, kind, rest] = /^(id|slug|name):(.*)$/s.exec(given) ?? [undefined, undefined, given];
  const value = (rest ?? "").trim().replace(/^"(.*)"$/s, "$1");
  if (value === "")
    throw usage(`${JSON.stringify(text)} is no ref: it is empty`, 'a ref is 123, slug:jazz-night, jazz-night or name:"Blue Note"');
  if (kind === "id" || (kind === undefined && /^\d+$/.test(value))) {
    if (!/^\d+$/.test(value)) throw usage(`${JSON.stringify(text)} is no ref: an id is digits only`);
    return { by: "id", id: value };
  }
  if (kind === "name") return { by: "name", name: value };
  if (value.includes("/")) {
    throw usage(`${JSON.stringify(text)} is no ref: a slug has no slash`, 'a ref is 123, slug:jazz-night, jazz-night or name:"Blue Note"');
  }
  return { by: "slug", slug: value };
}
