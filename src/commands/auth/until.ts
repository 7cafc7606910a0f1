// The end of a token as people read it: on their own clock, and how far off it is.
import { epochToWall } from "../../dates/wall.ts";

const minuteMs = 60_000;
/** Larger units begin where two of them are full. */
const timeUnits = [
  ["days", 1440 * minuteMs],
  ["hours", 60 * minuteMs],
  ["min", minuteMs],
] as const;

/** `2027-01-15 15:00 (in 3 hours)`, no longer than a table has room for; undefined for what is no time. What is over may be renewed by itself. */
export function formatExpiry(
  iso: unknown,
  { now, zone, renews: refreshable }: { now: number; zone: string; renews: boolean },
): string | undefined {
  const epoch = typeof iso === "string" ? Date.parse(iso) : Number.NaN;
  const wall = Number.isNaN(epoch) ? undefined : epochToWall(epoch, zone);
  return wall === undefined
    ? undefined
    : `${wall.slice(0, 16)} (${formatRelativeTime(epoch - now)}${refreshable && epoch < now ? ", renews" : ""})`;
}

function formatRelativeTime(ms: number): string {
  const [name, length] = timeUnits.find(([, unit]) => Math.abs(ms) >= 2 * unit) ?? ["min", minuteMs];
  const many = `${Math.max(1, Math.floor(Math.abs(ms) / length))} ${name}`;
  return ms < 0 ? `${many} ago` : `in ${many}`;
}
