// The end of a token as people read it: on their own clock, and how far off it is.
import { epochToWall } from "../../dates/wall.ts";

const minute = 60_000;
/** Larger units begin where two of them are full. */
const units = [
  ["day", 1440 * minute],
  ["hour", 60 * minute],
  ["minute", minute],
] as const;

/** `2027-01-15 15:00 (in 3 hours)`; undefined for what is no time. `renews` says that nobody need do anything when it is over. */
export function untilText(iso: unknown, { now, zone, renews }: { now: number; zone: string; renews: boolean }): string | undefined {
  const epoch = typeof iso === "string" ? Date.parse(iso) : Number.NaN;
  const wall = Number.isNaN(epoch) ? undefined : epochToWall(epoch, zone);
  return wall === undefined ? undefined : `${wall.slice(0, 16)} (${distanceText(epoch - now)}${renews ? ", renewed by itself" : ""})`;
}

function distanceText(ms: number): string {
  const [name, length] = units.find(([, unit]) => Math.abs(ms) >= 2 * unit) ?? ["minute", minute];
  const count = Math.floor(Math.abs(ms) / length);
  const many = count === 0 ? "less than a minute" : `${count} ${name}${count === 1 ? "" : "s"}`;
  return ms < 0 ? `${many} ago` : `in ${many}`;
}
