// The venue, the organizers, the categories and the tags that an event is written with, in all the forms a real server takes.
import type { WriteCall } from "../call.ts";
import { items } from "../parameters.ts";
import { problem } from "../problems.ts";
import { utcNow } from "../site/site.ts";
import { freeSlug, slugify } from "../slug.ts";
import type { User } from "../store/tables.ts";
import { json, Refusal } from "../wire.ts";
import { inlinePlace } from "./places.ts";
import { isId, termIds } from "./rule.ts";
import { untagged } from "./text.ts";

/** The venue: its id in a list; undefined where nothing was said or nothing usable, so that an event never loses its venue. */
export function venueOf(call: WriteCall, user: User, value: unknown): readonly number[] | undefined {
  if (value === undefined || value === null || ["", "0", 0, false].some((none) => none === value)) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  const id = placeOf(call, user, "venues", "venue", value);
  if (id === undefined) throw problem(400, "could-not-create-venue", "The venue could not be created from the provided data");
  return [id];
}

/** The organizers; none where nothing was said. */
export function organizersOf(call: WriteCall, user: User, value: unknown): readonly number[] {
  if (value === undefined || value === null || value === "") return [];
  const isBare = typeof value === "object" && !Array.isArray(value) && "organizer" in value;
  const found = isBare
    ? [undefined]
    : (Array.isArray(value) ? value : [value]).map((one) => placeOf(call, user, "organizers", "organizer", one));
  return found.map((id) => {
    if (id === undefined) throw problem(400, "could-not-create-organizer", "The organizer could not be created from the provided data");
    return id;
  });
}

function placeOf(call: WriteCall, user: User, resource: "venues" | "organizers", title: string, value: unknown): number | undefined {
  if (typeof value === "string" || typeof value === "number") return isId(call.data, resource, value) ? Number(value) : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const params: Readonly<Record<string, unknown>> = { ...value };
  if (isId(call.data, resource, params["id"])) return Number(params["id"]);
  return typeof params[title] === "string" && params[title] !== "" ? inlinePlace(call, user, resource, params) : undefined;
}

/** The terms; undefined where nothing was said. Unknown names are made, unknown ids passed over. */
export function termsOf(call: WriteCall, resource: "categories" | "tags", value: unknown): readonly number[] | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return [];
  return items(value).flatMap((item) => {
    // Recorded: a list in a list is a fatal error there, told in HTML.
    if (typeof item === "object") throw fatal();
    return termOf(call, resource, String(item));
  });
}

function fatal(): Refusal {
  const help = "https://wordpress.org/documentation/article/faq-troubleshooting/";
  const message = `<p>There has been a critical error on this website.</p><p><a href="${help}">Learn more about troubleshooting WordPress.</a></p>`;
  return new Refusal(json(500, { code: "internal_server_error", message, data: { status: 500 }, additional_errors: [] }));
}

function termOf(call: WriteCall, resource: "categories" | "tags", wanted: string): readonly number[] {
  if (/^\d+$/.test(wanted)) return isId(call.data, resource, wanted) ? [Number(wanted)] : [];
  const [known] = termIds(call.data, resource, wanted);
  if (known === undefined) return [makeTerm(call, resource, wanted)];
  if (resource === "categories") return [known];
  // Recorded: a tag that exists is looked up by name, and its id is then taken for the name of a new one.
  const [junk] = call.data.all("tags").filter(({ fields }) => fields["name"] === String(known));
  return [junk?.id ?? makeTerm(call, "tags", String(known))];
}

function makeTerm({ data, site }: WriteCall, resource: "categories" | "tags", name: string): number {
  const id = data.next("terms");
  const now = utcNow(site);
  const slug = freeSlug(slugify(name) || String(id), new Set(data.all(resource).map((term) => term.slug)));
  const fields = { name: untagged(name), description: "", ...(resource === "categories" ? { parent: 0 } : {}) };
  data.put(resource, { id, slug, status: "publish", author: 1, date_utc: now, modified_utc: now, fields });
  return id;
}
