// Deletes by id and by slug. The cleanup deletes all other records.

/**
 * @param {string} marker
 * @returns {import("../run-checks.js").Check[]}
 */
export const createDeleteChecks = (marker) => [
  {
    // Created after the list checks: servers differ in whether a list contains it.
    action: "create",
    resource: "events",
    recordKey: "hidden",
    name: "hidden from listings, half-hour zone",
    fields: {
      title: `Secret ${marker}`,
      status: "private",
      start_date: "2030-01-26 18:15:00",
      end_date: "2030-01-26 19:00:00",
      timezone: "Asia/Kolkata",
      hide_from_listings: true,
    },
    expectedFields: { "utc_start_date?": "2030-01-26 12:45:00" },
  },
  { action: "delete", resource: "events", recordKey: "hidden", refType: "id", name: "hidden from listings" },
  { action: "delete", resource: "events", recordKey: "days", refType: "slug", name: "Unicode" },
  { action: "delete", resource: "venues", recordKey: "venue", refType: "slug", name: "Unicode" },
  { action: "delete", resource: "organizers", recordKey: "organizer", refType: "id", name: "without events" },
  { action: "delete", resource: "tags", recordKey: "tag", refType: "slug", name: "Unicode, through the list" },
  { action: "delete", resource: "categories", recordKey: "child", refType: "id", name: "with events" },
];
