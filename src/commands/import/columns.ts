// The columns of a source: their headers as fields of the interface, also those of The Events Calendar's own importer.
import { formatSuggestion } from "../../closest.ts";
import type { Problem } from "../../errors.ts";
import type { Resource, ResourceName } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";

/**
 * What a column fills: a field (`title`), the time of a date (`start_time`), a second line of the address (`address2`), two fields
 * (`state_and_province`), or a field of a linked record that may be created (`venue.city`).
 */
export type Target = string;

/** Beside the fields: what a column can fill. */
const partTargets: Partial<Record<ResourceName, readonly Target[]>> = {
  events: ["start_time", "end_time"],
  venues: ["address2", "state_and_province"],
};

const addressFields = ["address", "city", "country", "province", "state", "zip", "phone", "website"];

/** Headers of The Events Calendar's importer and of its sample files, by what they fill; "" is nothing that its REST interface can write. */
const knownHeaders: Record<ResourceName, Readonly<Record<Target, readonly string[]>>> = {
  events: {
    title: ["Event Name", "Name", "Event Title"],
    description: ["Event Description"],
    excerpt: ["Event Excerpt"],
    start_date: ["Event Start Date", "Start"],
    start_time: ["Event Start Time", "Start Time"],
    end_date: ["Event End Date", "End"],
    end_time: ["Event End Time", "End Time"],
    timezone: ["Event Timezone", "Event Time Zone", "Time Zone"],
    all_day: ["Event All Day", "All Day Event"],
    hide_from_listings: [
      "Event Hide",
      "Hide",
      "Event Hide From Event Listings",
      "Hide Event From Event Listings",
      "Hide From Event Listings",
    ],
    sticky: ["Event Sticky", "Event Sticky in Month View", "Sticky in Month View"],
    featured: ["Feature Event", "Event Featured", "Featured Event"],
    venue: ["Event Venue Name", "Venue Name", "Event Venue"],
    organizer: ["Event Organizer Name", "Organizer Name", "Event Organizer", "Organizers", "Event Organizer Name(s) or ID(s)"],
    show_map_link: ["Event Show Map Link"],
    show_map: ["Event Show Map"],
    cost: ["Event Cost", "Price"],
    categories: ["Event Category", "Event Categories"],
    tags: ["Event Tags", "Event Tag"],
    website: ["Event Website", "Event URL"],
    image: ["Featured Image", "Event Featured Image"],
    ...Object.fromEntries(addressFields.map((name) => [`venue.${name}`, [`Venue ${name}`]])),
    "": [
      "Event Currency Code",
      "Event ISO Currency Code",
      "Event Currency Symbol",
      "Event Currency Position",
      "Event Comment Status",
      "Event Allow Comments",
      "Comment Status",
      "Event Ping Status",
      "Event Allow Trackbacks and Pingbacks",
      "Ping Status",
    ],
  },
  venues: {
    venue: ["Venue Name", "Name"],
    address2: ["Venue Address 2", "Venue Address2", "Address 2"],
    state_and_province: ["Venue State", "Venue State/Province", "State/Province"],
    website: ["Venue URL", "Venue Website"],
    image: ["Venue Featured Image", "Featured Image"],
    ...Object.fromEntries(
      ["address", "city", "country", "province", "zip", "phone", "description"].map((name) => [name, [`Venue ${name}`]]),
    ),
  },
  organizers: {
    organizer: ["Organizer Name", "Name"],
    image: ["Organizer Featured Image", "Featured Image"],
    ...Object.fromEntries(["description", "email", "website", "phone"].map((name) => [name, [`Organizer ${name}`]])),
  },
  categories: {},
  tags: {},
};

/** Lower case, with underscores, without other signs. */
function normalizeHeader(header: string): string {
  return header
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, "_")
    .replace(/[^\p{L}\p{M}\p{N}_.]/gu, "");
}

/** What the columns of a source fill. Undefined is a column that is passed over. */
export type ColumnMap = ReadonlyMap<string, Target | undefined>;

export interface ColumnOptions {
  /** `--map`: headers of the source, and what they fill. */
  readonly map: readonly (readonly [header: string, target: string])[];
  /** `--key`: these columns need no field. */
  readonly key: readonly string[];
  readonly ignoresUnknown: boolean;
}

/** The columns of these headers. Unknown ones, and two that fill the same, are problems. */
export function mapColumns(
  resource: Resource,
  headers: readonly string[],
  { map, key, ignoresUnknown }: ColumnOptions,
  problems: Problem[],
): { readonly columns: ColumnMap; readonly notices: readonly string[] } {
  const targets = listTargets(resource);
  const known = new Map<string, Target>();
  for (const [target, names] of Object.entries({ ...knownHeaders[resource.name], ...partNames(resource) }))
    for (const name of names) known.set(normalizeHeader(name), target);
  for (const { path, header } of resource.columns) {
    const [field = ""] = path.split(".");
    for (const name of [path, header]) known.set(normalizeHeader(name), targets.includes(field) ? field : "");
  }
  for (const { name, alias, refersTo } of resource.fields) {
    for (const one of [name, alias ?? name]) known.set(one, name);
    // As --fields writes the parts of linked records.
    if (refersTo !== undefined) for (const part of [resources[refersTo].titleField, "slug"]) known.set(`${name}.${part}`, name);
  }
  // A record may have what only others are documented to have.
  const readOnly = Object.values(resources).flatMap(({ readOnlyFields }) => readOnlyFields);
  for (const name of readOnly) if (!targets.includes(name)) known.set(name, "");
  const wanted = new Map<string, Target>();
  for (const [header, target] of map) {
    const name = targets.find((one) => one === normalizeHeader(target)) ?? known.get(normalizeHeader(target));
    if (name === undefined || name === "")
      problems.push({
        message: `--map ${header}=${target}: ${target} is not a field of ${resource.name}${formatSuggestion(target, targets) || `; it can fill ${targets.join(", ")}`}`,
      });
    else if (!headers.some((one) => isSameHeader(one, header)))
      problems.push({
        message: `--map ${header}=${target}: there is no column ${JSON.stringify(header)}${formatSuggestion(header, headers) || `; there are ${headers.join(", ")}`}`,
      });
    else wanted.set(normalizeHeader(header), name);
  }
  const columns = new Map<string, Target | undefined>();
  const unwritable: string[] = [];
  let fieldList = `; there are ${targets.join(", ")}`;
  for (const header of headers) {
    const normalized = normalizeHeader(header);
    const target = wanted.get(normalized) ?? known.get(normalized) ?? (targets.includes(normalized) ? normalized : undefined);
    columns.set(header, target === "" ? undefined : target);
    const isKey = key.some((one) => isSameHeader(one, header));
    if (target === "" && !readOnly.includes(normalized)) unwritable.push(header);
    if (target !== undefined || isKey || ignoresUnknown || normalized === "") continue;
    const suggestion = formatSuggestion(normalized, [...targets, ...known.keys()]);
    problems.push({
      message: `the column ${JSON.stringify(header)} is not a field of ${resource.name}${suggestion || fieldList}`,
      hint: `--map ${JSON.stringify(`${header}=<field>`)}, or --ignore-columns`,
    });
    if (suggestion === "") fieldList = "";
  }
  for (const target of new Set(columns.values())) {
    const same = [...columns].filter(([, other]) => other === target).map(([header]) => JSON.stringify(header));
    if (target !== undefined && same.length > 1) problems.push({ message: `several columns fill ${target}: ${same.join(", ")}` });
  }
  const notices = unwritable.length === 0 ? [] : [`not imported, because the interface can't write it: ${unwritable.join(", ")}`];
  return { columns, notices };
}

export const isSameHeader = (one: string, other: string): boolean => normalizeHeader(one) === normalizeHeader(other);

function partNames({ name }: Resource): Record<Target, readonly string[]> {
  const own = knownHeaders[name];
  return Object.fromEntries((partTargets[name] ?? []).map((target) => [target, [...(own[target] ?? []), target]]));
}

function listTargets({ name, fields }: Resource): readonly Target[] {
  const linked = fields.some(({ refersTo }) => refersTo === resources.venues.name) ? addressFields.map((field) => `venue.${field}`) : [];
  return [...fields.map((field) => field.name), ...(partTargets[name] ?? []), ...linked];
}
