// Lists and their filters: a list must hold exactly the records that are meant, and each as it was written.

const all = ["--all-dates", "--status=private"];

/**
 * @param {string} mark
 * @returns {import("../walk.js").Check[]}
 */
export const listChecks = (mark) => [
  {
    does: "list",
    resource: "events",
    name: "by a word of the title",
    args: [...all, `--search=${mark}`],
    finds: ["paris", "days", "tokyo", "york"],
  },
  {
    does: "list",
    resource: "events",
    name: "page by page, one event each",
    args: [...all, `--search=${mark}`, "--all", "--per-page=1"],
    finds: ["paris", "days", "tokyo", "york"],
  },
  { does: "list", resource: "events", name: "a page past the end", args: [...all, `--search=${mark}`, "--page=99"], finds: [] },
  {
    does: "list",
    resource: "events",
    name: "of a month",
    args: ["--status=private", `--search=${mark}`, "--start-date=2030-06-01", "--end-date=2030-06-30"],
    finds: ["paris", "days"],
  },
  {
    does: "list",
    resource: "events",
    name: "of a day",
    args: ["--status=private", `--search=${mark}`, "--on=2030-06-11"],
    finds: ["paris"],
  },
  { does: "list", resource: "events", name: "featured", args: [...all, `--search=${mark}`, "--featured"], finds: ["paris"] },
  { does: "list", resource: "events", name: "at a venue", args: all, links: { venue: ["hall"] }, finds: ["paris", "days"] },
  { does: "list", resource: "events", name: "of an organizer", args: all, links: { organizer: ["name:band"] }, finds: ["paris"] },
  { does: "list", resource: "events", name: "of a category", args: all, links: { categories: ["child"] }, finds: ["paris", "tokyo"] },
  { does: "list", resource: "events", name: "with a tag", args: all, links: { tags: ["slug:tag"] }, finds: ["paris", "york"] },
  {
    does: "list",
    resource: "venues",
    name: "by a word of the name",
    args: ["--status=private", `--search=${mark}`],
    finds: ["venue", "hall"],
  },
  { does: "list", resource: "venues", name: "of an event", args: ["--status=private"], links: { event: ["paris"] }, finds: ["hall"] },
  {
    does: "list",
    resource: "organizers",
    name: "by a word of the name",
    args: ["--status=private", `--search=${mark}`],
    finds: ["organizer", "band"],
  },
  { does: "list", resource: "organizers", name: "of an event", args: ["--status=private"], links: { event: ["paris"] }, finds: ["band"] },
  {
    does: "list",
    resource: "categories",
    name: "empty ones too, by a word of the name",
    args: ["--include-empty", `--search=${mark}`],
    finds: ["parent", "child"],
  },
  {
    does: "list",
    resource: "categories",
    name: "below another",
    args: ["--include-empty"],
    links: { parent: ["parent"] },
    finds: ["child"],
  },
  { does: "list", resource: "categories", name: "of an event", args: ["--include-empty"], links: { event: ["tokyo"] }, finds: ["child"] },
  { does: "list", resource: "tags", name: "only these", args: ["--include-empty"], links: { include: ["tag"] }, finds: ["tag"] },
  { does: "list", resource: "tags", name: "of an event", args: ["--include-empty"], links: { event: ["york"] }, finds: ["tag"] },
];
