// How long a record lasts once one of its dates has changed: refused where it would end before it starts, told where the length changes.
import { normalizeDateTime } from "../../../api/compare.ts";
import { type DataRecord, getText, idOf } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { formatDuration, parseOffset } from "../../../dates/duration.ts";
import { wallToEpoch } from "../../../dates/wall.ts";
import { usageError } from "../../../errors.ts";
import { toKebabCase } from "../../../spec/field.ts";
import type { Resource } from "../../../spec/resource.ts";
import { formatRecordName } from "../after.ts";
import type { Scene } from "../site.ts";

/** On the clock on the wall, in milliseconds; undefined where a date can't be read. */
function getDuration(start: unknown, end: unknown): number | undefined {
  const [from, to] = [start, end].map((value) => wallToEpoch(normalizeDateTime(value) ?? "", "UTC"));
  return from === undefined || to === undefined ? undefined : to - from;
}

/** A new start at or after the old end would make some servers lose the event from every list. A length of nothing is refused where only the start was given. */
export function assertEndAfterStart(resource: Resource, current: DataRecord, given: Input): void {
  if (given["start_date"] === undefined && given["end_date"] === undefined) return;
  const [start, end] = [given["start_date"] ?? current["start_date"], given["end_date"] ?? current["end_date"]];
  const [was, is] = [getDuration(current["start_date"], current["end_date"]), getDuration(start, end)];
  if (is === undefined || is > 0) return;
  if (is === 0 && (given["end_date"] !== undefined || was === 0)) return;
  const length = was === undefined || was <= 0 ? "<length>" : formatDuration(was);
  throw usageError(
    `${formatRecordName(resource, current)} would end (${normalizeDateTime(end)}) ${is === 0 ? "as soon as" : "before"} it starts (${normalizeDateTime(start)})`,
    `move it whole: --shift <offset>; or give both: --start-date and --end-date, or --start-date and --duration ${length}`,
  );
}

/** A start alone that would make a record last more than twice as long is a move of which the end was forgotten. A second is lost where days end at 23:59:59. */
export function assertDurationNotDoubled({ resource, site }: Scene, current: DataRecord, given: Input): void {
  if (given["start_date"] === undefined || given["end_date"] !== undefined) return;
  const start = normalizeDateTime(given["start_date"]);
  const end = normalizeDateTime(current["end_date"]);
  const [was, is] = [getDuration(current["start_date"], end), getDuration(start, end)];
  if (start === undefined || end === undefined) return;
  if (was === undefined || was <= 0 || is === undefined || is <= 2 * was + 1000) return;
  const typed = (wall: string) => `"${wall.replace(/:00$/, "")}${site.hasExplicitZone ? ` ${String(given["timezone"])}` : ""}"`;
  const change = `cal ${resource.name} update ${idOf(current) ?? ""}`;
  const allDay = (given["all_day"] ?? current["all_day"]) === true;
  const whole = allDay ? `--shift -${formatDuration(is - was)}` : `--start-date ${typed(start)} --duration ${formatDuration(was)}`;
  throw usageError(
    `${formatRecordName(resource, current)}: its end (${end}) stays, so it would last ${formatDuration(is)} instead of ${formatDuration(was)}`,
    `to move it whole: ${change} ${whole}\nif it is to last so long: ${change} --start-date ${typed(start)} --end-date ${typed(end)}`,
  );
}

/** Says how long a record lasts where only one of its dates was given, and what would have kept its length. */
export async function reportDurationChange({ resource, invocation, context }: Scene, current: DataRecord, given: Input): Promise<void> {
  const [start, end] = [given["start_date"], given["end_date"]];
  if ((start === undefined) === (end === undefined) || invocation.flags["duration"] !== undefined) return;
  const was = getDuration(current["start_date"], current["end_date"]);
  const is = getDuration(start ?? current["start_date"], end ?? current["end_date"]);
  if (was === undefined || was < 0 || is === undefined || was === is) return;
  const ways = `${start === undefined ? "" : `--duration ${formatDuration(was)} keeps its length, `}--shift moves it whole`;
  await context.notice(
    `${formatRecordName(resource, current)}: its ${start === undefined ? "start" : "end"} stays, so it lasts ${formatDuration(is)}, not ${formatDuration(was)} (${ways})`,
  );
}

/** Says which moment an offset came to that was given as a date: it counts from now, which is not what is meant by whoever moves an event. */
export async function reportOffsetFromNow({ context }: Scene, typed: Input, dated: Input): Promise<void> {
  for (const name of ["start_date", "end_date"]) {
    const text = String(typed[name] ?? "").trim();
    if (parseOffset(text) === undefined) continue;
    const flag = `--${toKebabCase(name)} ${text}`;
    await context.notice(
      `${flag} counts from now: ${String(dated[name])} (${String(dated["timezone"])}); --shift ${text} moves the event itself`,
    );
  }
}

/** Says that a record begins at another moment where only its zone was changed: its times stay as they are on the clock. */
export async function reportZoneChange({ resource, context }: Scene, current: DataRecord, given: Input): Promise<void> {
  const [was, is] = [getText(current, "timezone"), given["timezone"]];
  if (typeof is !== "string" || is === "" || given["start_date"] !== undefined || given["end_date"] !== undefined) return;
  const [start = "", end = ""] = [normalizeDateTime(current["start_date"]), normalizeDateTime(current["end_date"])];
  const [before, after] = [was, is].map((zone) => wallToEpoch(start, zone));
  const allDay = (given["all_day"] ?? current["all_day"]) === true;
  if (before === undefined || after === undefined || before === after || allDay) return;
  const [from, to] = [start, end].map((wall) => `"${wall.replace(/:00$/, "")} ${was}"`);
  await context.notice(
    `${formatRecordName(resource, current)}: its times stay as they are on the clock, so it starts ${formatDuration(Math.abs(after - before))} ${after > before ? "later" : "earlier"} than it did in ${was}; to keep the moment: --start-date ${from} --end-date ${to} with the new zone`,
  );
}
