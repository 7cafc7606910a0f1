// `cal month [YYYY-MM]`: a month as a grid.
import { rangeMonth } from "../../dates/range.ts";
import { stretchOf } from "./stretch.ts";
import { view } from "./view.ts";

/** Shows a month; the current one unless given. */
export const month = view({
  name: "month",
  stretch: ({ args }, reference) => stretchOf(rangeMonth(args[0], reference)),
  draw: async () => (await import("../../output/calendar/month.ts")).monthPicture,
});
