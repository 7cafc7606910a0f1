// `cal week [date]`: seven days side by side.
import { rangeWeek } from "../../dates/range.ts";
import { stretchOf } from "./stretch.ts";
import { view } from "./view.ts";

/** Shows the week of a day; of today unless given. */
export const week = view({
  name: "week",
  stretch: ({ args }, reference) => stretchOf(rangeWeek(args[0], reference)),
  draw: async () => (await import("../../output/calendar/week.ts")).weekPicture,
});
