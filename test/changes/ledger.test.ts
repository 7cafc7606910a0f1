// The ledger: entries are there after the process is killed, and the file is sorted at the end of a run.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { getLedgerPath, type LedgerOptions, readLedger, withLedger } from "../../src/changes/ledger.ts";

const site = "https://example.org/wp-json/tribe/events/v1";

function createOptions(): LedgerOptions {
  const folder = mkdtempSync(join(tmpdir(), "cal-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { path: getLedgerPath(folder, site, "season 2027"), site, source: "season 2027", lock: { sleep: (ms) => sleep(ms) } };
}

const hashes = { sent: { title: "0123456789abcdef" }, answered: { title: "fedcba9876543210" } };

test("entries are appended at once, and sorted by key at the end", async () => {
  const options = createOptions();
  await withLedger(options, async (ledger) => {
    ledger.put({ key: "b", pending: true });
    expect(readLedger(options.path, site).get("b")).toEqual({ key: "b", pending: true });
    ledger.put({ key: "b", id: "2", ...hashes });
    ledger.put({ key: "c", id: "3", ...hashes });
    ledger.put({ key: "a", id: "1", ...hashes });
    ledger.remove("c");
    expect([...readLedger(options.path, site).keys()]).toEqual(["b", "a"]);
  });
  const lines = readFileSync(options.path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toEqual([
    { ledger: 1, site },
    { key: "a", id: "1", ...hashes },
    { key: "b", id: "2", ...hashes },
  ]);
  expect(statSync(options.path).mode & 0o777).toBe(0o600);
});

test("a run that writes nothing leaves no file, and one that fails keeps what it wrote", async () => {
  const options = createOptions();
  await withLedger(options, async () => undefined);
  expect(readLedger(options.path, site).size).toBe(0);
  const failed = withLedger(options, async (ledger) => {
    ledger.put({ key: "a", pending: true });
    throw new Error("the site is away");
  });
  await expect(failed).rejects.toThrow("the site is away");
  expect([...readLedger(options.path, site).values()]).toEqual([{ key: "a", pending: true }]);
});

test("a line that was cut off by a kill is passed over", async () => {
  const options = createOptions();
  await withLedger(options, async (ledger) => ledger.put({ key: "a", id: "1", ...hashes }));
  appendFileSync(options.path, '{"key":"b","pend');
  expect([...readLedger(options.path, site).keys()]).toEqual(["a"]);
});

test("a second run of the same source ends at once", async () => {
  const options = createOptions();
  await withLedger(options, async () => {
    const second = withLedger(options, async () => "ran");
    await expect(second).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(`^an import of season 2027 is running \\(pid ${process.pid}, since \\d\\d:\\d\\d\\)$`),
    });
  });
  await expect(withLedger(options, async () => "ran")).resolves.toBe("ran");
});

test.each([
  ["another site", '{"ledger":1,"site":"https://other.example/x"}\n', "belongs to another site"],
  ["another file", '{"name":"x"}\n', "is not a ledger"],
  ["an empty line", `{"ledger":1,"site":"${site}"}\n\n`, "line 2 is not a JSON object"],
  ["a conflict of git", `{"ledger":1,"site":"${site}"}\n<<<<<<< HEAD\n`, "line 2 is a merge conflict of git"],
  ["no id", `{"ledger":1,"site":"${site}"}\n{"key":"a"}\n`, "line 2 has no id"],
  ["an id that is a path", `{"ledger":1,"site":"${site}"}\n{"key":"a","id":"1/x","sent":{},"answered":{}}\n`, "line 2 has no id"],
])("%s is refused with its line", async (_name, text, message) => {
  const options = createOptions();
  await withLedger(options, async (ledger) => ledger.put({ key: "a", pending: true }));
  writeFileSync(options.path, text);
  await expect(withLedger(options, async () => undefined)).rejects.toMatchObject({
    kind: "local",
    message: expect.stringContaining(message),
  });
});

test("sources with similar names, and sites, have files of their own", () => {
  const paths = ["a b", "a-b", "a/b", "A b"].flatMap((name) => [getLedgerPath("/s", site, name), getLedgerPath("/s", `${site}2`, name)]);
  expect(new Set(paths).size).toBe(paths.length);
  for (const path of paths) expect(path).toMatch(/^\/s\/ledgers\/[\w.-]+\.ndjson$/);
});
