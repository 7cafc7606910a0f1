// Deleting by id and by slug. What is not deleted here, the end of the run deletes.

/**
 * @param {string} mark
 * @returns {import("../walk.js").Check[]}
 */
export const deleteChecks = (mark) => [
  {
    // It is made after the lists: servers differ in whether a list shows it.
    does: "create",
    resource: "events",
    record: "hidden",
    name: "hidden from listings, half-hour zone",
    fields: {
      title: `Secret ${mark}`,
      status: "private",
      start_date: "2030-01-26 18:15:00",
      end_date: "2030-01-26 19:00:00",
      timezone: "Asia/Kolkata",
      hide_from_listings: true,
    },
    expect: { "utc_start_date?": "2030-01-26 12:45:00" },
  },
  { does: "delete", resource: "events", record: "hidden", by: "id", name: "hidden from listings" },
  { does: "delete", resource: "events", record: "days", by: "slug", name: "Unicode" },
  { does: "delete", resource: "venues", record: "venue", by: "slug", name: "Unicode" },
  { does: "delete", resource: "organizers", record: "organizer", by: "id", name: "without events" },
  { does: "delete", resource: "tags", record: "tag", by: "slug", name: "Unicode, through the list" },
  { does: "delete", resource: "categories", record: "child", by: "id", name: "with events" },
];
