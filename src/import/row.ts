// One record of a source that is imported.
import type { Problem } from "../errors.ts";

/** One record of a source. */
export interface SourceRow {
  /** The line in the source on which it begins, from 1. Absent where the format does not tell (YAML, JSON). */
  readonly line?: number;
  /** Where each record has a file of its own. */
  readonly file?: string;
  /** What names it in messages: the UID of an iCalendar event, or the place in a list (`[3]`). */
  readonly item?: string;
  /** By header or field name, as in the source. Of iCalendar: fields of the interface. A cell is a text. */
  readonly values: Readonly<Record<string, unknown>>;
  /** iCalendar: UID, and for an occurrence of a rule its RECURRENCE-ID. Absent where there is no UID. */
  readonly key?: string;
  /** iCalendar: STATUS is CANCELLED. */
  readonly cancelled?: true;
  /** What is wrong with this record: it can't be written. */
  readonly problems: readonly Problem[];
  /** What was taken although it is not quite right, such as a row that has too few cells. */
  readonly warnings: readonly string[];
  /** csv and tsv: the cells as they stand in the source, for `--rejects`; only where they are others than the values, in the order of the header. */
  readonly cells?: readonly string[];
}
