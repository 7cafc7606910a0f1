// The machine's time zone, from the system's link or from Node.
import { expect, test } from "vitest";
import { machineZone } from "../../src/terminal/machine-zone.ts";

const asked = () => "Node/Says";

test.each([
  ["/usr/share/zoneinfo/Europe/Paris", "Europe/Paris"],
  ["../usr/share/zoneinfo/Asia/Kolkata", "Asia/Kolkata"],
  ["/var/db/timezone/zoneinfo/America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["/usr/share/zoneinfo/Etc/UTC", "UTC"],
  ["/usr/share/zoneinfo/posix/Europe/Paris", "Node/Says"],
  ["/usr/share/zoneinfo/localtime", "Node/Says"],
  ["/etc/somewhere", "Node/Says"],
])("a link to %s is %s", (link, zone) => {
  expect(machineZone({ variable: undefined, link: () => link, asked })).toBe(zone);
});

test.each(["Asia/Tokyo", ":Asia/Tokyo", ""])("the variable TZ %j is for Node to read", (variable) => {
  expect(machineZone({ variable, link: () => "/usr/share/zoneinfo/Europe/Paris", asked })).toBe("Node/Says");
});

test("without a link Node is asked", () => {
  const link = () => {
    throw new Error("EINVAL");
  };
  expect(machineZone({ variable: undefined, link, asked })).toBe("Node/Says");
});
