// Venues and organizers: sections 4.3 and 4.4 of the interface.

/**
 * @param {string} mark
 * @returns {import("../walk.js").Check[]}
 */
export const placeChecks = (mark) => [
  {
    does: "create",
    resource: "venues",
    record: "venue",
    name: "every text, Unicode, HTML",
    fields: {
      venue: `Café de l'Été & 日本 ${mark}`,
      status: "private",
      description: "<p>Cour <em>intérieure</em></p>",
      show_map: true,
      show_map_link: false,
      address: "12 rue de la Paix",
      city: "Évry",
      country: "France",
      zip: "01234",
      phone: "+33 1 23 45",
      website: "https://example.org/?a=1&b=2",
    },
  },
  { does: "get", resource: "venues", record: "venue", by: "slug", name: "Unicode" },
  { does: "update", resource: "venues", record: "venue", by: "id", name: "one field, the others stay", fields: { phone: "+33 9 99" } },
  { does: "update", resource: "venues", record: "venue", by: "slug", name: "one field, the others stay", fields: { city: "Köln" } },
  {
    does: "update",
    resource: "venues",
    record: "venue",
    by: "id",
    name: "with PUT, the others stay",
    fields: { show_map: false },
    args: ["--method=put"],
  },
  {
    does: "update",
    resource: "venues",
    record: "venue",
    by: "id",
    name: "one field emptied",
    args: ["--clear=phone"],
    expect: { phone: "" },
  },
  { does: "create", resource: "venues", record: "hall", name: "the name alone", fields: { venue: `Hall ${mark}`, status: "private" } },
  {
    does: "create",
    resource: "organizers",
    record: "organizer",
    name: "every text, Unicode, HTML",
    fields: {
      organizer: `Ångström & Søn's 音楽 ${mark}`,
      status: "private",
      description: "<p>Depuis <strong>1999</strong></p>",
      phone: "+45 12 34",
      website: "https://example.org/?a=1&b=2",
      email: "info@example.org",
    },
  },
  { does: "get", resource: "organizers", record: "organizer", by: "slug", name: "Unicode" },
  {
    does: "update",
    resource: "organizers",
    record: "organizer",
    by: "id",
    name: "with PUT, the others stay",
    fields: { phone: "+45 99" },
    args: ["--method=put"],
  },
  {
    does: "update",
    resource: "organizers",
    record: "organizer",
    by: "slug",
    name: "with POST, the others stay",
    fields: { email: "new@example.org" },
    args: ["--method=post"],
  },
  {
    does: "create",
    resource: "organizers",
    record: "band",
    name: "the name alone",
    fields: { organizer: `Band ${mark}`, status: "private" },
  },
];
