// Zone names that users and servers write.

import { expect, test } from "vitest";
import { findZone, isZone, requireZone } from "../../src/dates/zone.ts";
import { catchCalError } from "./problem.ts";

const winter = Date.parse("2027-01-10T12:00:00Z");

test.each([
  ["Europe/Paris", "Europe/Paris", 60],
  ["europe/PARIS", "Europe/Paris", 60],
  ["Asia/Kolkata", "Asia/Kolkata", 330],
  ["asia/kolkata", "Asia/Kolkata", 330],
  ["Europe/Kyiv", "Europe/Kyiv", 120],
  ["US/Eastern", "US/Eastern", -300],
  ["Etc/GMT+5", "Etc/GMT+5", -300],
  ["EST", "EST", -300],
  ["UTC", "UTC", 0],
  ["utc", "UTC", 0],
  ["Z", "UTC", 0],
  ["UTC+0", "+00:00", 0],
  ["UTC-0", "+00:00", 0],
  ["UTC+5.5", "+05:30", 330],
  ["UTC+5.75", "+05:45", 345],
  ["UTC-3", "-03:00", -180],
  ["UTC-3.5", "-03:30", -210],
  ["UTC+14", "+14:00", 840],
  ["+02:00", "+02:00", 120],
  ["-0930", "-09:30", -570],
  ["Australia/Lord_Howe", "Australia/Lord_Howe", 660],
])("%s is read as %s", (text, name, minutes) => {
  const zone = findZone(text);
  expect([zone?.name, zone?.offsetAt(winter)]).toEqual([name, minutes * 60_000]);
});

test.each(["", "PST", "IST", "BST", "Europe/Pari", "Mars/Base", "+25:00", "+02:75", "UTC+", "5", "now", "noon", "SystemV/EST5"])(
  "%j is no zone",
  (text) => {
    expect(isZone(text)).toBe(false);
  },
);

test.each([
  ["Europe/Pari", "did you mean Europe/Paris?"],
  ["Paris", "did you mean Europe/Paris?"],
  ["new york", "did you mean America/New_York?"],
  ["America/New York", "did you mean America/New_York?"],
  ["Asia/Kolkatta", "did you mean Asia/Kolkata?"],
  ["PST", "write an IANA name such as Europe/Paris, or an offset such as +01:00"],
])("%j: %s", (text, hint) => {
  expect(catchCalError(() => requireZone(text))).toEqual({ kind: "usage", message: `"${text}" is not a time zone`, hint });
});
