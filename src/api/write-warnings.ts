// What a write to a WordPress site loses or changes beside what it is meant to change, as sentences for the user before it is sent.
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { toPlainText } from "../html-text.ts";
import { stringifyExact, valueToText } from "../http/json.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import { sanitizeLine } from "../text.ts";
import { isShownDifferently, type PricePlan } from "./price.ts";
import type { Input } from "./request.ts";
import { type CurrentRecord, toList } from "./update.ts";

/** The warnings of an update that sends this body; none for servers that keep what they are sent. */
export function findUpdateWarnings(
  resource: Resource,
  { record, raw }: CurrentRecord,
  { body, price }: { readonly body: Input; readonly price?: PricePlan | undefined },
  profile: ServerProfile,
): readonly string[] {
  if (profile.rawPaths[resource.name] === undefined) return [];
  const texts = { ...raw?.values, ...body };
  return [
    ...findPriceWarnings(record, price),
    ...(price === undefined ? findNewPriceWarnings(body, profile) : []),
    ...findUrlWarnings(resource, body, profile),
    ...(raw?.allowsAnyHtml === false ? findHtmlWarnings(resource, texts) : []),
    ...findLinkWarnings(resource, record, body),
  ];
}

/** A price that can be neither sent nor restored as it is stored. */
export function findPriceWarnings(record: DataRecord, price: PricePlan | undefined): readonly string[] {
  if (price?.isLost !== true) return [];
  const shown = formatText(toPlainText(valueToText(record["cost"])));
  return [`the site will store its price ${shown} in another form, and this user can't see how it is stored: give it again with --cost`];
}

/** A price that visitors will see in another form than it was given. */
export function findNewPriceWarnings(input: Input, profile: ServerProfile): readonly string[] {
  const { cost } = input;
  if (!profile.rendersText || !isShownDifferently(cost)) return [];
  const forms = '"€10" or "€10 – €20"';
  return [`the site will show another price than ${formatText(valueToText(cost))}: it understands ${forms}, with a point for decimals`];
}

/** A web address with parts that the server removes. */
export function findUrlWarnings(resource: Resource, body: Input, profile: ServerProfile): readonly string[] {
  if (profile.rawPaths[resource.name] === undefined) return [];
  return resource.fields.flatMap(({ name, format }) => {
    const value = valueToText(body[name] ?? "");
    if (format !== "url" || !/%[0-9a-f]{2}/i.test(value)) return [];
    let stripped = value;
    // The server repeats this until nothing of this form is left.
    while (/%[0-9a-f]{2}/i.test(stripped)) stripped = stripped.replace(/%[0-9a-f]{2}/gi, "");
    return [`the server removes each "%XX" of a web address: ${name} ${formatText(value)} becomes ${formatText(stripped)}`];
  });
}

/** Elements that WordPress removes from the texts of users who may not store any HTML. */
const filteredTags = /<(script|iframe|style|embed|object|form|input)\b/gi;

/** Elements in the texts of a write that a user without `unfiltered_html` loses. */
export function findHtmlWarnings(resource: Resource, values: Input): readonly string[] {
  return resource.fields.flatMap(({ name, format }) => {
    const tags = format === "html" ? valueToText(values[name] ?? "").match(filteredTags) : null;
    if (tags === null) return [];
    const names = [...new Set(tags.map((tag) => `${tag.toLowerCase()}>`))];
    return [`the site removes ${names.join(", ")} from its ${name}: this user may not store such HTML`];
  });
}

/** The statuses from which an update of a published event publishes its links: a venue, and one of several organizers. */
const publishedStatuses = { single: ["draft", "pending"], multiple: ["draft", "pending", "future", "trash"] } as const;

/** Recorded: an update of a published event publishes linked records that are no terms, and takes organizers out of the trash. */
function findLinkWarnings(resource: Resource, record: DataRecord, body: Input): readonly string[] {
  if (valueToText(body["status"] ?? record["status"] ?? "") !== "publish") return [];
  return resource.fields.flatMap(({ name, refersTo, multiple }) => {
    const target = refersTo === undefined ? undefined : resources[refersTo];
    if (target === undefined || target.isTerm) return [];
    const ids = body[name] === undefined ? undefined : toList(body[name]).map(valueToText);
    const statuses: readonly string[] = publishedStatuses[multiple === true ? "multiple" : "single"];
    return toList(record[name]).flatMap((link) => {
      const id = isRecord(link) ? idOf(link) : undefined;
      if (!isRecord(link) || id === undefined || ids?.includes(id) === false) return [];
      const [status, title] = [getText(link, "status"), formatText(toPlainText(getText(link, target.titleField)))];
      if (!statuses.includes(status)) return [];
      const action = status === "trash" ? "takes out of the trash and publishes" : "publishes";
      return [`this also ${action} the ${target.singular} ${id} ${title}${status === "trash" ? "" : ` (${status})`}`];
    });
  });
}

function formatText(text: string): string {
  return sanitizeLine(stringifyExact(text));
}
