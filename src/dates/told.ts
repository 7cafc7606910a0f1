// What a calendar makes of a start and an end: it is told wall times only, and of one that happens twice it takes the earlier (RFC 5545, 3.3.5).
import { usage } from "../errors.ts";
import { lengthText } from "./duration.ts";
import { type Moment, zoned } from "./moment.ts";
import { wallToEpoch } from "./wall.ts";

/** When something starts and ends. */
export interface Times<T> {
  readonly start: T;
  readonly end: T;
}

/**
 * Warns where the calendar's event is not as long as the one that is meant. Usage error, with times that can be told,
 * where it would end no later than it starts though the one that is meant has a length.
 */
export function lengthWarnings({ start, end }: Times<Moment>): readonly string[] {
  const meant = end.epoch - start.epoch;
  const told = taken(end) - taken(start);
  if (meant <= 0 || told === meant) return [];
  if (told > 0) return [`the event lasts ${lengthText(told)} on the calendar, not ${lengthText(meant)}`];
  throw usage(
    `${end.wall} happens twice in ${end.zone}, and a calendar takes the earlier, which is not after the start`,
    `keep the event in UTC: --timezone UTC --start-date "${withOffset(start)}" --end-date "${withOffset(end)}"`,
  );
}

function taken({ wall, zone, epoch }: Moment): number {
  return wallToEpoch(wall, zone) ?? epoch;
}

function withOffset(moment: Moment): string {
  return moment.wall + zoned(moment).offset;
}
