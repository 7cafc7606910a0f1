// The first day of the week, by flag and by locale.

import { expect, test } from "vitest";
import { resolveWeekStart, rotateWeekdays } from "../../../src/commands/views.ts";

test.each([
  [undefined, {}, "monday"],
  ["saturday", { LC_ALL: "en_US.UTF-8" }, "saturday"],
  [undefined, { LC_ALL: "en_US.UTF-8", LC_TIME: "de_DE.UTF-8", LANG: "de_DE" }, "sunday"],
  [undefined, { LC_ALL: "", LC_TIME: "ar_EG", LANG: "en_US" }, "saturday"],
  [undefined, { LANG: "pt_BR.UTF-8@euro" }, "sunday"],
  [undefined, { LANG: "en_GB.UTF-8" }, "monday"],
  [undefined, { LANG: "fr" }, "monday"],
  [undefined, { LANG: "C.UTF-8" }, "monday"],
  [undefined, { LANG: "POSIX" }, "monday"],
  [undefined, { LANG: "en_!!" }, "monday"],
])("--week-start %s with %j: %s", (entered, env, day) => {
  expect(resolveWeekStart(entered, env)).toBe(day);
});

test("the other days follow", () => {
  expect(rotateWeekdays("saturday")).toEqual(["saturday", "sunday", "monday", "tuesday", "wednesday", "thursday", "friday"]);
});
