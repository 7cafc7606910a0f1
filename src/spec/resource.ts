// What a resource is: plain data that flags, requests, tables, help, completions and the sandbox are read from.
import type { Field, ResourceName } from "./field.ts";

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
