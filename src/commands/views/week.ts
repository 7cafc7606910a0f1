// `cal week [date]`: seven days side by side.
import { parseWeekRange } from "../../dates/range.ts";
import { toTimeSpan } from "./stretch.ts";
import { createViewHandler } from "./view.ts";

/** Shows the week of a day; of today unless given. */
export const week = createViewHandler({
  name: "week",
  parseSpan: ({ args }, reference) => toTimeSpan(parseWeekRange(args[0], reference)),
  loadRenderer: async () => (await import("../../output/calendar/week.ts")).renderWeek,
});
