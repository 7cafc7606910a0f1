// A list whose second page fails: formats that are input of another command print nothing until the list is complete.

import { expect, test } from "vitest";
import { createServerSession, startTestServer } from "./server.ts";

const { url } = await startTestServer(({ query }) => {
  if (query.get("page") === "2") return { status: 500, body: { code: "broken", message: "The second page is broken." } };
  const records = Array.from({ length: Number(query.get("per_page")) }, (_none, index) => ({
    id: index + 1,
    slug: `tag-${index + 1}`,
    name: "Tag",
  }));
  return { body: { tags: records, total: 100, total_pages: 2 } };
});
const cal = createServerSession(url);

test.each(["ids", "json", "yaml", "count", "json --field id", "tsv --field id", "tsv --field slug"])(
  "cal tags list --all --format %s prints nothing",
  async (format) => {
    const { stdout, stderr, code } = await cal(`tags list --all --format ${format}`);
    expect({ stdout, code }).toEqual({ stdout: "", code: 7 });
    expect(stderr).toContain("The second page is broken.");
  },
);

test.each(["ndjson", "csv", "tsv", "tsv --field name"])("cal tags list --all --format %s has printed the first page", async (format) => {
  const { stdout, code } = await cal(`tags list --all --format ${format} --no-header`);
  expect({ lines: stdout.trimEnd().split(/\r?\n/).length, code }).toEqual({ lines: 50, code: 7 });
});
