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
  readonly unsupported?: { readonly words: readonly string[]; readonly instead: string };
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
