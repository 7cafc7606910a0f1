// Tags and categories: sections 4.5 and 4.6 of the interface. Terms can't be private: only their names are marked.

/**
 * @param {string} mark
 * @returns {import("../walk.js").Check[]}
 */
export const termChecks = (mark) => [
  {
    does: "create",
    resource: "tags",
    record: "tag",
    name: "Unicode and an ampersand in the name, HTML in the description",
    fields: { name: `Été & 日本 ${mark}`, description: "Jazz from <em>Köln</em> &amp; Århus" },
  },
  { does: "get", resource: "tags", record: "tag", by: "slug", name: "Unicode, through the list" },
  {
    does: "update",
    resource: "tags",
    record: "tag",
    by: "id",
    name: "description alone",
    fields: { description: "Only <strong>this</strong>" },
  },
  { does: "update", resource: "tags", record: "tag", by: "slug", name: "name alone", fields: { name: `Été & 東京 ${mark}` } },
  {
    does: "create",
    resource: "categories",
    record: "parent",
    name: "with a slug",
    fields: { name: `Musique ${mark}`, slug: `${mark}-musique` },
  },
  {
    does: "create",
    resource: "categories",
    record: "child",
    name: "below another, Unicode and HTML",
    fields: { name: `Ψ & Jazz ${mark}`, description: "Swing <em>et</em> free" },
    links: { parent: ["slug:parent"] },
  },
  { does: "get", resource: "categories", record: "child", by: "slug", name: "Unicode, through the list" },
  { does: "update", resource: "categories", record: "child", by: "id", name: "slug alone", fields: { slug: `${mark}-jazz` } },
  {
    does: "update",
    resource: "categories",
    record: "parent",
    by: "slug",
    name: "with PUT",
    fields: { name: `Musiques ${mark}` },
    args: ["--method=put"],
  },
];
