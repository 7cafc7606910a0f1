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
  const gap = room < 8 ? "" : " ";
  // Where not even some letters fit, the sign alone says more.
  const shown = loose ? title : room < 4 ? "" : cut(title, room - 1 - gap.length);
  const margin = loose ? " " : "";
  const between = loose ? " " : shown === "" ? "" : gap;
  const fill = "═".repeat(Math.max(0, room - 1 - textWidth(margin + between + shown + margin)));
  return paint(`${left}${margin}${sign}${between}${isolated(shown)}${margin}${fill}${right}`);
}
