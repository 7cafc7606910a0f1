// No command of the five resources sends a write by itself: requests that write go through `writeChange` and its journal.
import { expect, test } from "vitest";
import { readSources } from "./sources.ts";

/** `client.write` on a site that no journal knows. `journaled` is the site that `writeChange` gives. */
const directWrite =
  /(?<!journaled\.)\bclient\s*\.write\(|(?<!journaled\.)\bclient\(\)\)\.write\(|\{[^}]*\bclient\b[^}]*\}\s*=[^;]*\bjournal/;

test("only cal api sends a write without the journal", () => {
  const files = readSources("src/commands", [".ts"]).filter(({ text }) => directWrite.test(text));
  expect(files.map(({ path }) => path)).toEqual(["src/commands/site.ts"]);
});

test("what sends the requests of an update is called with the journaled site alone", () => {
  const senders = /\b(?:sendUpdate|restorePriceAfter|restorePrice)\(\s*(\w+)/g;
  const calls = readSources("src", [".ts"])
    .filter(({ path }) => path.startsWith("src/commands/") || path.startsWith("src/changes/"))
    .flatMap(({ path, text }) => [...text.matchAll(senders)].map(([, site]) => ({ path, site })));
  expect(calls.length).toBeGreaterThan(2);
  expect(calls.filter(({ site }) => site !== "journaled")).toEqual([]);
});
