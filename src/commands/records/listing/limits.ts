// --starts-before, --starts-after, --ends-before and --ends-after: what lies wholly beside a moment, to the second.
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { type DateReference, parseDate } from "../../../dates/parse.ts";
import { type Field, getFieldFlagName } from "../../../spec/field.ts";
import type { ServerProfile } from "../../../spec/server-kinds.ts";
import type { Invocation } from "../../command.ts";
import { type Problems, tryParseFlag } from "../call.ts";
import { getQueryDayAfter, getQueryDayBefore, instantOf } from "./window.ts";

/** A typed limit. Before a day, a month or a year is before its first moment, after it is after its last one. */
interface DateBound {
  readonly name: string;
  readonly key: "start_date" | "end_date";
  readonly isBefore: boolean;
  readonly epoch: number;
  readonly wall: string;
}

/** The limits of a list, bound to a kind of server. */
export interface DateBounds {
  readonly filters: Input;
  /** Absent where the server is trusted to compare to the second. */
  readonly matches?: (record: DataRecord) => boolean;
  /** What was understood, as a sentence. */
  readonly description: string;
  /** The moments by the names of the filters, for `--envelope`. */
  readonly envelopeWindow: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Reads the limits among the flags; undefined where there are none. */
export function parseDateBounds(
  fields: readonly Field[],
  flags: Invocation["flags"],
  { window }: ServerProfile,
  reference: DateReference,
  problems: Problems,
): DateBounds | undefined {
  const warnings: string[] = [];
  const limits = fields.flatMap((field) => {
    const text = flags[getFieldFlagName(field)];
    return text === undefined ? [] : (parseDateBound(field, String(text), reference, problems, warnings) ?? []);
  });
  if (limits.length === 0) return undefined;
  const envelopeWindow = Object.fromEntries(limits.map(({ name, wall }) => [name, wall]));
  const description = `events that ${limits.map(formatDateBound).join(" and ")} (${reference.zone})`;
  if (window !== "inside") return { filters: envelopeWindow, description, envelopeWindow, warnings };
  const days = limits.map(({ name, isBefore, epoch }) => [name, isBefore ? getQueryDayAfter(epoch) : getQueryDayBefore(epoch)] as const);
  const matches = (record: DataRecord) => limits.every((limit) => satisfiesBound(record, limit, reference.zone));
  return { filters: Object.fromEntries(days), matches, description, envelopeWindow, warnings };
}

function parseDateBound(
  field: Field,
  text: string,
  reference: DateReference,
  problems: Problems,
  warnings: string[],
): DateBound | undefined {
  const isBefore = field.name.endsWith("_before");
  const moment = tryParseFlag(getFieldFlagName(field), problems, () => parseDate(text, { ...reference, side: isBefore ? "start" : "end" }));
  if (moment === undefined) return undefined;
  warnings.push(...moment.warnings);
  const key = field.name.startsWith("starts") ? "start_date" : "end_date";
  return { name: field.name, key, isBefore, epoch: moment.epoch, wall: moment.wall };
}

function formatDateBound({ key, isBefore, wall }: DateBound): string {
  return `${key === "start_date" ? "start" : "end"} ${isBefore ? "before" : "after"} ${wall}`;
}

/** A record without the date is not for us to leave out. */
function satisfiesBound(record: DataRecord, { key, isBefore, epoch }: DateBound, zone: string): boolean {
  const instant = instantOf(record, key, zone);
  return instant === undefined || (isBefore ? instant < epoch : instant > epoch);
}
