// `cal month [YYYY-MM]`: a month as a grid.
import { parseMonthRange } from "../../dates/range.ts";
import { toTimeSpan } from "./stretch.ts";
import { createViewHandler } from "./view.ts";

/** Shows a month; the current one unless given. */
export const month = createViewHandler({
  name: "month",
  parseSpan: ({ args }, reference) => toTimeSpan(parseMonthRange(args[0], reference)),
  loadRenderer: async () => (await import("../../output/calendar/month.ts")).renderMonth,
});
