// The machine's time zone, from the system's link or from Node.

import { expect, test } from "vitest";
import { findSystemZone } from "../../src/terminal/io.ts";

const getIntlZone = () => "Node/Says";

test.each([
  ["/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"],
  ["../usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata"],
  ["/var/db/timezone/zoneinfo/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["/usr/share/zoneinfo/Etc/UTC", "UTC"],
  ["/usr/share/zoneinfo/posix/Europe/Paris", "Node/Says"],
  ["/usr/share/zoneinfo/localtime", "Node/Says"],
  ["/etc/somewhere", "Node/Says"],
])("a link to %s is %s", (link, zone) => {
  expect(findSystemZone({ variable: undefined, readLocaltimeLink: () => link, getIntlZone })).toBe(zone);
});

test.each(["Asia/Tokyo", ":Asia/Tokyo", ""])("the variable TZ %j is for Node to read", (variable) => {
  expect(findSystemZone({ variable, readLocaltimeLink: () => "/usr/share/zoneinfo/Europe/Paris", getIntlZone })).toBe("Node/Says");
});

test("without a link Node is asked", () => {
  const readLocaltimeLink = () => {
    throw new Error("EINVAL");
  };
  expect(findSystemZone({ variable: undefined, readLocaltimeLink, getIntlZone })).toBe("Node/Says");
});
