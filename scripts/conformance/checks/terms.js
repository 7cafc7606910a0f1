// Tags and categories: sections 4.5 and 4.6 of the interface. Terms have no private status: only their names contain the marker.

/**
 * @param {string} marker
 * @returns {import("../run-checks.js").Check[]}
 */
export const createTermChecks = (marker) => [
  {
    action: "create",
    resource: "tags",
    recordKey: "tag",
    name: "Unicode and an ampersand in the name, HTML in the description",
    fields: { name: `Été & 日本 ${marker}`, description: "Jazz from <em>Köln</em> &amp; Århus" },
  },
  { action: "get", resource: "tags", recordKey: "tag", refType: "slug", name: "Unicode, through the list" },
  {
    action: "update",
    resource: "tags",
    recordKey: "tag",
    refType: "id",
    name: "description alone",
    fields: { description: "Only <strong>this</strong>" },
  },
  { action: "update", resource: "tags", recordKey: "tag", refType: "slug", name: "name alone", fields: { name: `Été & 東京 ${marker}` } },
  {
    action: "create",
    resource: "categories",
    recordKey: "parent",
    name: "with a slug",
    fields: { name: `Musique ${marker}`, slug: `${marker}-musique` },
  },
  {
    action: "create",
    resource: "categories",
    recordKey: "child",
    name: "below another, Unicode and HTML",
    fields: { name: `Ψ & Jazz ${marker}`, description: "Swing <em>et</em> free" },
    links: { parent: ["slug:parent"] },
  },
  { action: "get", resource: "categories", recordKey: "child", refType: "slug", name: "Unicode, through the list" },
  { action: "update", resource: "categories", recordKey: "child", refType: "id", name: "slug alone", fields: { slug: `${marker}-jazz` } },
  {
    action: "update",
    resource: "categories",
    recordKey: "parent",
    refType: "slug",
    name: "with PUT",
    fields: { name: `Musiques ${marker}` },
    args: ["--method=put"],
  },
];
