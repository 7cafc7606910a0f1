// What a resource is: plain data that flags, requests, tables, help, completions and the sandbox are read from.

/** How a table shows a value. */
export type ColumnKind = "id" | "name" | "text" | "date-time" | "status" | "count" | "flag";

/** One column of a resource's table. */
export interface Column {
  readonly header: string;
  /** Where the value is in a record: `title`, `venue.venue`; arrays on the way are joined with ", ". */
  readonly path: string;
  readonly kind: ColumnKind;
  /** 1 is shown first; higher numbers go first when the terminal is narrow. */
  readonly priority: number;
  /** Not in a table unless it is named: there the other columns say it. TSV and CSV, which are read by programs, have it. */
  readonly machineReadableOnly?: true;
}

/** One of the five resources of the interface. */
export interface Resource {
  readonly name: ResourceName;
  readonly singular: string;
  /** The field that holds the record's name. */
  readonly titleField: string;
  /** Whether `{ns}/<name>/by-slug/{slug}` exists (sections 4.2 to 4.6). */
  readonly bySlug: boolean;
  /** Whether the body of a by-slug update carries the path's `slug` (section 4.3, venues). */
  readonly slugInBody: boolean;
  /** Whether its records have dates, and its list leaves some of them out unless it is asked for them by their dates. */
  readonly hasDates: boolean;
  /** Whether its records are terms (sections 4.5 and 4.6): no server has a trash for them, and no name of theirs holds a comma. */
  readonly isTerm: boolean;
  /** Fields accepted on create and update (section 2). */
  readonly fields: readonly Field[];
  /** Query parameters of the list (section 4). */
  readonly filters: readonly Field[];
  /** Fields of returned records that are known beyond the writable ones ("not shown" in the interface). */
  readonly readOnlyFields: readonly string[];
  readonly columns: readonly Column[];
}

/** The verbs that every resource has. */
export type Verb = "list" | "get" | "create" | "update" | "delete";

// What a field of a record or a filter of a list is, in the words of the interface (docs/interface/calendar.md).

/** The type column of the interface's tables. `any` is its "type not given". */
export type FieldType = "string" | "integer" | "boolean" | "integers" | "any";

/** The resources of the interface; each is also its path segment and the key of its list envelope. */
export type ResourceName = "events" | "venues" | "organizers" | "categories" | "tags";

/**
 * What a value means beyond its type; it decides how the command line reads it.
 * - `date-time`: a date of the grammar, sent as `YYYY-MM-DD HH:MM:SS`
 * - `time-zone`: an IANA name
 * - `flag-string`: a boolean that the interface types as a string: "true" or "false"
 * - `number`: a decimal number that the interface gives no type
 * - `image`: the ID of a picture, or its URL
 * - `url`, `email`, `status`: what they are called
 * - `html`: text that servers may return rendered, so it can't be compared or written back
 */
export type FieldFormat = "date-time" | "time-zone" | "flag-string" | "html" | "url" | "email" | "image" | "number" | "status";

/** One row of a field table or of a list's parameter table. */
export interface Field {
  /** The interface's name; the flag is the same in kebab case. */
  readonly name: string;
  readonly type: FieldType;
  /** The interface's own wording. */
  readonly meaning: string;
  /** Required on create. */
  readonly required?: true;
  /** The interface's default, told in the help; never sent unless typed. */
  readonly default?: string | number | boolean;
  readonly format?: FieldFormat;
  /** The words that are known; a flag takes no others. */
  readonly values?: readonly string[];
  /** Words that people look for among them, and what they do instead: there is nothing like it in the interface. */
  readonly unsupported?: { readonly words: readonly string[]; readonly reason: string; readonly hint: string };
  /** No server can know another one. Else the refusal says how it is sent all the same. */
  readonly closedEnum?: true;
  /** Several of the words may be joined by commas. */
  readonly commaSeparated?: true;
  /** The value names records of this resource: a ref (id, slug, name) is accepted. */
  readonly refersTo?: ResourceName;
  /** Links to any number of records on every kind of server: an update can also add some and take some away. */
  readonly multiple?: true;
  /** Servers pass over an id that no record has, without a word: a write looks it up first. */
  readonly ignoresUnknownIds?: true;
  /** Another flag for the same field, without the dashes. */
  readonly alias?: string;
  /** Another field that must be given with this one. */
  readonly requires?: string;
  /** Not in the interface's tables; real servers know it. */
  readonly nonStandard?: true;
}

/** A name of the interface as a word of the command line: `start_date` is `start-date`. */
export function toKebabCase(name: string): string {
  return name.replaceAll("_", "-");
}

/** The flag of a field or filter, without dashes. */
export function getFieldFlagName({ name, alias }: Pick<Field, "name" | "alias">): string {
  return alias ?? toKebabCase(name);
}

// What posts have in common: venues and organizers, which events are linked to, and in part events (sections 2, 4.3 and 4.4).

/** What WordPress calls the states of a post; the interface shows none (section 3), and a site can have more. */
export const postStatuses: readonly string[] = ["publish", "draft", "pending", "private", "future", "trash"];

const booleanStrings: readonly string[] = ["true", "false"];

/** The fields between the name and the rest of both tables, in the interface's order. */
export const postFields: readonly Field[] = [
  { name: "author", type: "integer", meaning: "Author ID" },
  { name: "date", type: "string", format: "date-time", meaning: "Publication date" },
  { name: "date_utc", type: "string", format: "date-time", meaning: "Publication date in UTC" },
  { name: "description", type: "string", format: "html", meaning: "Description" },
  { name: "status", type: "string", format: "status", values: postStatuses, meaning: "Post status" },
];

/** Fields of a returned post that nobody writes ("not shown" in the interface). */
export const postReadOnlyFields: readonly string[] = [
  "id",
  "slug",
  "modified",
  "modified_utc",
  "url",
  "excerpt",
  "global_id",
  "global_id_lineage",
  "json_ld",
];

/** The list parameters of venues; section 4.4 gives organizers the same, with the meanings applied to them. */
export function getLinkedPostFilters(name: ResourceName): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", meaning: "Text in title, description or custom fields" },
    { name: "event", type: "integer", refersTo: "events", meaning: `${plural} related to this event` },
    { name: "has_events", type: "any", values: booleanStrings, closedEnum: true, meaning: `${plural} that have events` },
    {
      name: "only_with_upcoming",
      type: "any",
      values: booleanStrings,
      closedEnum: true,
      default: false,
      meaning: `${plural} that have upcoming events`,
    },
    { name: "status", type: "any", format: "status", values: postStatuses, commaSeparated: true, meaning: "Post status" },
  ];
}

// What categories and tags have in common: both are terms (sections 2, 4.5 and 4.6).

/** The fields that both tables begin with, in the interface's order. */
export const termFields: readonly Field[] = [
  { name: "name", type: "string", required: true, meaning: "Name" },
  { name: "description", type: "string", format: "html", meaning: "Description" },
  { name: "slug", type: "string", meaning: "Slug" },
];

/** Fields of a returned term that nobody writes ("not shown" in the interface). */
export const termReadOnlyFields: readonly string[] = ["id", "count", "taxonomy", "meta", "url", "urls", "_links"];

/** What WordPress sorts terms by; a word that it does not know it takes for the name. */
const termOrderByValues: readonly string[] = ["name", "slug", "id", "count", "include", "description", "parent", "term_group", "none"];

/** The list parameters of a term resource, in the interface's order; `above` is how those with parents are found. */
export function getTermFilters(name: ResourceName, above: readonly Field[] = []): readonly Field[] {
  const plural = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [
    { name: "page", type: "integer", default: 1, meaning: "Archive page" },
    { name: "per_page", type: "integer", default: 10, meaning: `${plural} per page` },
    { name: "search", type: "string", meaning: "Match a string" },
    { name: "exclude", type: "integers", refersTo: name, meaning: "IDs to exclude" },
    { name: "include", type: "integers", refersTo: name, meaning: "Only these IDs" },
    { name: "order", type: "string", values: ["asc", "desc"], meaning: "Sort ascending or descending" },
    { name: "orderby", type: "string", values: termOrderByValues, meaning: "Term attribute to sort by" },
    { name: "hide_empty", type: "boolean", default: "1", meaning: "Hide terms not assigned to any posts" },
    ...above,
    { name: "post", type: "integer", refersTo: "events", meaning: "Terms assigned to this post" },
    { name: "event", type: "integer", refersTo: "events", meaning: "Alias of `post`" },
    { name: "slug", type: "string", meaning: "Terms with this slug" },
  ];
}
