// An event drawn across its days: ╞ ■ Spring Fair ═════╡, with arrows where it goes on in another week.
import type { Style } from "../../terminal/style.ts";
import { cut, isolated, textWidth } from "../width.ts";
import type { CalendarDay, Happening } from "./day.ts";
import { titleOf } from "./entry.ts";
import { markFor } from "./mark.ts";

/** The part of an event from one day to another, in so many columns, at least two. */
export function barText(happening: Happening, first: CalendarDay, last: CalendarDay, width: number, style: Style): string {
  const { sign, paint } = markFor(happening, style);
  const left = happening.firstDay < first.date ? "◂" : "╞";
  const right = happening.lastDay > last.date ? "▸" : "╡";
  const time = happening.starts === undefined || happening.firstDay < first.date ? "" : `${happening.starts} `;
  const title = `${time}${titleOf(happening)}`;
  const room = width - 2;
  const loose = textWidth(title) + 4 <= room;
  // Where not even some letters fit, the sign alone says more.
  const shown = loose ? title : room < 6 ? "" : cut(title, room - 2);
  const label = loose ? ` ${sign} ${isolated(shown)} ` : shown === "" ? sign : `${sign} ${isolated(shown)}`;
  const taken = loose ? textWidth(shown) + 4 : shown === "" ? 1 : textWidth(shown) + 2;
  return paint(`${left}${label}${"═".repeat(Math.max(0, room - taken))}${right}`);
}
