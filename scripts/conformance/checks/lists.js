// Lists and filters. A list must contain exactly the expected records, with the values that were written.

const all = ["--all-dates", "--status=private"];

/**
 * @param {string} marker
 * @returns {import("../run-checks.js").Check[]}
 */
export const createListChecks = (marker) => [
  {
    action: "list",
    resource: "events",
    name: "by a word of the title",
    args: [...all, `--search=${marker}`],
    expectedRecords: ["paris", "days", "tokyo", "york"],
  },
  {
    action: "list",
    resource: "events",
    name: "page by page, one event each",
    args: [...all, `--search=${marker}`, "--all", "--per-page=1"],
    expectedRecords: ["paris", "days", "tokyo", "york"],
  },
  {
    action: "list",
    resource: "events",
    name: "a page past the end",
    args: [...all, `--search=${marker}`, "--page=99"],
    expectedRecords: [],
  },
  {
    action: "list",
    resource: "events",
    name: "of a month",
    args: ["--status=private", `--search=${marker}`, "--start-date=2030-06-01", "--end-date=2030-06-30"],
    expectedRecords: ["paris", "days"],
  },
  {
    action: "list",
    resource: "events",
    name: "of a day",
    args: ["--status=private", `--search=${marker}`, "--on=2030-06-11"],
    expectedRecords: ["paris"],
  },
  { action: "list", resource: "events", name: "featured", args: [...all, `--search=${marker}`, "--featured"], expectedRecords: ["paris"] },
  { action: "list", resource: "events", name: "at a venue", args: all, links: { venue: ["hall"] }, expectedRecords: ["paris", "days"] },
  {
    action: "list",
    resource: "events",
    name: "of an organizer",
    args: all,
    links: { organizer: ["name:band"] },
    expectedRecords: ["paris"],
  },
  {
    action: "list",
    resource: "events",
    name: "of a category",
    args: all,
    links: { categories: ["child"] },
    expectedRecords: ["paris", "tokyo"],
  },
  { action: "list", resource: "events", name: "with a tag", args: all, links: { tags: ["slug:tag"] }, expectedRecords: ["paris", "york"] },
  {
    action: "list",
    resource: "venues",
    name: "by a word of the name",
    args: ["--status=private", `--search=${marker}`],
    expectedRecords: ["venue", "hall"],
  },
  {
    action: "list",
    resource: "venues",
    name: "of an event",
    args: ["--status=private"],
    links: { event: ["paris"] },
    expectedRecords: ["hall"],
  },
  {
    action: "list",
    resource: "organizers",
    name: "by a word of the name",
    args: ["--status=private", `--search=${marker}`],
    expectedRecords: ["organizer", "band"],
  },
  {
    action: "list",
    resource: "organizers",
    name: "of an event",
    args: ["--status=private"],
    links: { event: ["paris"] },
    expectedRecords: ["band"],
  },
  {
    action: "list",
    resource: "categories",
    name: "empty ones too, by a word of the name",
    args: ["--include-empty", `--search=${marker}`],
    expectedRecords: ["parent", "child"],
  },
  {
    action: "list",
    resource: "categories",
    name: "below another",
    args: ["--include-empty"],
    links: { parent: ["parent"] },
    expectedRecords: ["child"],
  },
  {
    action: "list",
    resource: "categories",
    name: "of an event",
    args: ["--include-empty"],
    links: { event: ["tokyo"] },
    expectedRecords: ["child"],
  },
  {
    action: "list",
    resource: "tags",
    name: "only these",
    args: ["--include-empty"],
    links: { include: ["tag"] },
    expectedRecords: ["tag"],
  },
  {
    action: "list",
    resource: "tags",
    name: "of an event",
    args: ["--include-empty"],
    links: { event: ["york"] },
    expectedRecords: ["tag"],
  },
];
