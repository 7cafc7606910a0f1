// What a resource is. Flags, requests, tables, help, completions and the sandbox are made from this data.

/** The type column of the interface's tables. `any` is its "type not given". */
export type FieldType = "string" | "integer" | "boolean" | "integers" | "any";

/** The resources of the interface; each is also its path segment and the key of its list envelope. */
export type ResourceName = "events" | "venues" | "organizers" | "categories" | "tags";

/** How a table shows a value. */
export type ColumnKind = "id" | "name" | "text" | "date-time" | "status" | "count" | "flag";

/** A column of a table. */
export interface Column {
  readonly header: string;
  /** The path of the value in a record: `title`, `venue.venue`. Values of an array on the path are joined with ", ". */
  readonly path: string;
  readonly kind: ColumnKind;
  /** 1 is shown first; higher numbers are left out first when the terminal is narrow. */
  readonly priority: number;
  /** In TSV and CSV, which programs read, but in a table only where it is named: there the other columns say the same. */
  readonly machineReadableOnly?: true;
}

export interface Resource {
  readonly name: ResourceName;
  readonly singular: string;
  /** The field with the record's name. */
  readonly titleField: string;
  /** Whether `{ns}/<name>/by-slug/{slug}` exists (sections 4.2 to 4.6). */
  readonly bySlug: boolean;
  /** Whether the body of a by-slug update carries the path's `slug` (section 4.3, venues). */
  readonly slugInBody: boolean;
  /** Whether its records have dates, and its list leaves some of them out unless the query names their dates. */
  readonly hasDates: boolean;
  /** Whether its records are terms (sections 4.5 and 4.6): no server has a trash for them, and their names hold no comma. */
  readonly isTerm: boolean;
  /** Fields that create and update accept (section 2). */
  readonly fields: readonly Field[];
  /** The fields that people use most, in the order in which they think of them: help, prompts and records for people show them first. */
  readonly mainFields: readonly string[];
  /** The fields of one record that people read first. */
  readonly fieldsReadFirst: readonly string[];
  /** Query parameters of the list (section 4). */
  readonly filters: readonly Field[];
  /** Known fields of returned records that can't be written ("not shown" in the interface). */
  readonly readOnlyFields: readonly string[];
  readonly columns: readonly Column[];
}

/** The verbs that every resource has. */
export type Verb = "list" | "get" | "create" | "update" | "delete";

/**
 * What a value means beyond its type; it decides how the command line reads it.
 * - `date-time`: a date of the grammar, sent as `YYYY-MM-DD HH:MM:SS`
 * - `time-zone`: an IANA name
 * - `flag-string`: a boolean that the interface types as a string, or to which it gives no type: "true" or "false"
 * - `number`: a decimal number to which the interface gives no type
 * - `search`: a text to search for; servers refuse an empty one
 * - `image`: the ID of a picture, or its URL
 * - `html`: text that servers may return rendered, so it can't be compared or written back
 */
export type FieldFormat = "date-time" | "time-zone" | "flag-string" | "html" | "url" | "email" | "image" | "number" | "search" | "status";

/** A field of a record, or a query parameter of a list. */
export interface Field {
  /** The interface's name; the flag is the same in kebab case. */
  readonly name: string;
  readonly type: FieldType;
  /** The interface's own wording. */
  readonly meaning: string;
  /** The words of the help, where the command line takes more than the interface. */
  readonly helpMeaning?: string;
  /** Required on create. */
  readonly required?: true;
  /** The interface's default, for the help; it is never sent by itself. */
  readonly default?: string | number | boolean;
  readonly format?: FieldFormat;
  /** The known values; a flag takes no others. */
  readonly values?: readonly string[];
  /** Values that users expect among them although the interface has nothing like it, and what to do instead. */
  readonly unsupported?: { readonly words: readonly string[]; readonly reason: string; readonly hint: string };
  /** No server can have other values. Else the error message says how to send another value all the same. */
  readonly closedEnum?: true;
  /** Several of the values may be joined by commas. */
  readonly commaSeparated?: true;
  /** The value names records of this resource: a ref (id, slug, name) is accepted. */
  readonly refersTo?: ResourceName;
  /** Links to any number of records on every kind of server: an update can also add and remove some. */
  readonly multiple?: true;
  /** Servers ignore an id that no record has, without an error: a write looks it up first. */
  readonly ignoresUnknownIds?: true;
  /** Another flag for the same field, without the dashes. */
  readonly alias?: string;
  /** Another field that must be sent with this one. */
  readonly requires?: string;
  /** Lists can be limited to records that lack this field: `--without`. */
  readonly canBeAbsent?: true;
  /** A filter by the coordinates of the venue. Servers without the premium extension ignore it without a word. */
  readonly byCoordinates?: true;
  /** Not in the interface's tables; real servers know it. */
  readonly nonStandard?: true;
}

/** The fields that have a value, in the order of the resource. */
export function getGivenFields({ fields }: Resource, values: Readonly<Record<string, unknown>>): readonly Field[] {
  return fields.filter(({ name }) => values[name] !== undefined);
}

/** A name of the interface as a word of the command line: `start_date` is `start-date`. */
export function toKebabCase(name: string): string {
  return name.replaceAll("_", "-");
}

/** The flag of a field or filter, without dashes. */
export function getFieldFlagName({ name, alias }: Pick<Field, "name" | "alias">): string {
  return alias ?? toKebabCase(name);
}
