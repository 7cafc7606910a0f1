// --starts-before, --starts-after, --ends-before and --ends-after: what lies wholly beside a moment, to the second.
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { parseDate, type Reference } from "../../../dates/parse.ts";
import { type Field, flagName } from "../../../spec/field.ts";
import type { ServerKind } from "../../../spec/server-kinds.ts";
import type { Invocation } from "../../command.ts";
import { attempt, type Problems } from "../call.ts";
import { dayAfter, dayBefore, instantOf } from "./window.ts";

/** A typed limit. Before a day, a month or a year is before its first moment, after it is after its last one. */
interface Limit {
  readonly name: string;
  readonly key: "start_date" | "end_date";
  readonly before: boolean;
  readonly epoch: number;
  readonly wall: string;
}

/** The limits of a list, bound to a kind of server. */
export interface Limits {
  readonly filters: Input;
  /** Absent where the server is trusted to compare to the second. */
  readonly keep?: (record: DataRecord) => boolean;
  /** What was understood, as a sentence. */
  readonly says: string;
  /** The moments by the names of the filters, for `--envelope`. */
  readonly told: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Reads the limits among the flags; undefined where there are none. */
export function limitsOf(
  fields: readonly Field[],
  flags: Invocation["flags"],
  { window }: ServerKind,
  reference: Reference,
  problems: Problems,
): Limits | undefined {
  const warnings: string[] = [];
  const limits = fields.flatMap((field) => {
    const text = flags[flagName(field)];
    return text === undefined ? [] : (limitOf(field, String(text), reference, problems, warnings) ?? []);
  });
  if (limits.length === 0) return undefined;
  const told = Object.fromEntries(limits.map(({ name, wall }) => [name, wall]));
  const says = `events that ${limits.map(inWords).join(" and ")} (${reference.zone})`;
  if (window !== "inside") return { filters: told, says, told, warnings };
  const days = limits.map(({ name, before, epoch }) => [name, before ? dayAfter(epoch) : dayBefore(epoch)] as const);
  const keep = (record: DataRecord) => limits.every((limit) => isBeside(record, limit, reference.zone));
  return { filters: Object.fromEntries(days), keep, says, told, warnings };
}

function limitOf(field: Field, text: string, reference: Reference, problems: Problems, warnings: string[]): Limit | undefined {
  const before = field.name.endsWith("_before");
  const moment = attempt(flagName(field), problems, () => parseDate(text, { ...reference, side: before ? "start" : "end" }));
  if (moment === undefined) return undefined;
  warnings.push(...moment.warnings);
  const key = field.name.startsWith("starts") ? "start_date" : "end_date";
  return { name: field.name, key, before, epoch: moment.epoch, wall: moment.wall };
}

function inWords({ key, before, wall }: Limit): string {
  return `${key === "start_date" ? "start" : "end"} ${before ? "before" : "after"} ${wall}`;
}

/** A record without the date is not for us to leave out. */
function isBeside(record: DataRecord, { key, before, epoch }: Limit, zone: string): boolean {
  const instant = instantOf(record, key, zone);
  return instant === undefined || (before ? instant < epoch : instant > epoch);
}
