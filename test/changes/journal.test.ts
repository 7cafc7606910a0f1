// The file of the journal: its lines, its retention, and a disk that is full.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Change } from "../../src/changes/change.ts";
import { listJournals, pruneJournals, readOperation, readPruned } from "../../src/changes/history.ts";
import { createJournal, type Journal, maskAddresses } from "../../src/changes/journal.ts";
import { CalError, codeOf } from "../../src/errors.ts";

const change: Change = {
  op: "update",
  resource: "events",
  key: "12",
  id: "12",
  fields: [{ name: "title", from: "A", to: "B", origin: "input" }],
  needs: [],
};
const request = { method: "PATCH", path: "/x/events/12", query: [], body: { title: "B" } } as const;
const follow = { method: "POST", path: "/wp/v2/x/12", query: [], body: { meta: {} } } as const;
const now = Date.parse("2027-01-15T12:00:00Z");

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cal-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(folder: string): Journal {
  return createJournal({
    folder,
    site: "https://example.org/x",
    profile: "default",
    argv: ["events", "update", "12", "--title", "B"],
    now: () => now,
    startInterval: () => () => undefined,
    settle: async () => false,
    warn: async () => undefined,
  });
}

async function readOnly(folder: string) {
  const [entry] = listJournals(folder);
  return entry === undefined ? undefined : readOperation(entry);
}

test("the line of a change is in the file before its request is sent", async () => {
  const folder = createFolder();
  const log = open(folder).begin(change, { former: { id: 12, title: "A" } });
  expect(await readOnly(folder)).toBeUndefined();
  await log.request(request);
  expect(await readOnly(folder)).toMatchObject({
    state: "running",
    changes: [{ change, status: "unknown", former: { title: "A" }, requests: [request] }],
  });
});

test.each<readonly [string, (journal: Journal) => Promise<void>, object]>([
  [
    "done",
    async (journal) => {
      const log = journal.begin(change, {});
      await log.request(request);
      log.answer(200);
      log.done({ id: "12", after: { title: "B" } });
    },
    { state: "done", changes: [{ status: "done", id: "12", after: { title: "B" } }], entry: { state: "one" } },
  ],
  [
    "refused",
    async (journal) => {
      const log = journal.begin(change, {});
      await log.request(request);
      log.error(new CalError("rejected", "no", { status: 400, code: "bad" }));
    },
    { state: "failed", changes: [{ status: "failed", message: "no" }], entry: { state: "one" } },
  ],
  [
    "no answer",
    async (journal) => {
      const log = journal.begin(change, {});
      await log.request(request);
      log.unknown("time-out");
    },
    { state: "unknown", changes: [{ status: "unknown", message: "time-out", isAnswered: false }], entry: { state: "open" } },
  ],
  [
    "two requests, the second without an answer",
    async (journal) => {
      const log = journal.begin(change, { follow });
      await log.request(request);
      log.answer(200);
      await log.request(follow);
      log.unknown("time-out");
    },
    { state: "unknown", changes: [{ status: "unknown", isAnswered: true, follow, requests: [request, follow] }], entry: { state: "open" } },
  ],
  [
    "several changes",
    async (journal) => {
      for (const key of ["12", "13"]) {
        const log = journal.begin({ ...change, key, id: key }, {});
        await log.request(request);
        log.answer(200);
        log.done({ id: key });
      }
    },
    {
      state: "done",
      changes: [
        { status: "done", id: "12" },
        { status: "done", id: "13" },
      ],
      entry: { state: "many" },
    },
  ],
  [
    "interrupted",
    async (journal) => {
      const log = journal.begin(change, {});
      await log.request(request);
      log.answer(200);
      log.done({ id: "12" });
      journal.interrupt();
    },
    { state: "interrupted", changes: [{ status: "done" }], entry: { state: "open" } },
  ],
])("an operation: %s", async (_name, act, expected) => {
  const folder = createFolder();
  const journal = open(folder);
  await act(journal);
  expect(journal.close()).toBe(true);
  expect(await readOnly(folder)).toMatchObject(expected);
});

test("a change of which nothing was sent leaves no file", () => {
  const folder = createFolder();
  const journal = open(folder);
  journal.begin(change, {}).error(new CalError("usage", "no"));
  expect(journal.close()).toBe(false);
  expect(listJournals(folder)).toEqual([]);
});

test("a last line that was cut off is passed over", async () => {
  const folder = createFolder();
  const journal = open(folder);
  await journal.begin(change, {}).request(request);
  const [entry] = listJournals(folder);
  writeFileSync(entry?.path ?? "", '{"n":1,"done":tr', { flag: "a" });
  expect(await readOnly(folder)).toMatchObject({ changes: [{ status: "unknown" }] });
});

test("addresses are shown with their origin and a hash of the rest", () => {
  expect(maskAddresses("https://u:p@example.org:8443/feed?key=s3cret")).toMatch(/^https:\/\/example\.org:8443\/\.\.\.[0-9a-f]{8}$/);
  expect(maskAddresses("https://example.org/")).toBe("https://example.org/");
  expect(maskAddresses("title=a/b?c")).toBe("title=a/b?c");
});

test("old operations are removed, never open ones, and it is remembered", () => {
  const folder = createFolder();
  mkdirSync(join(folder, "journal"));
  const add = (day: string, state: string) => writeFileSync(join(folder, "journal", `${day}-120000-001.${state}.ndjson`), "x");
  for (const [day, state] of [
    ["20270115", "one"],
    ["20261220", "one"],
    ["20261210", "one"],
    ["20261201", "many"],
    ["20261001", "many"],
    ["20200101", "open"],
  ] as const)
    add(day, state);
  pruneJournals(folder, now);
  const left = () =>
    readdirSync(join(folder, "journal"))
      .filter((name) => name.endsWith(".ndjson"))
      .map((name) => name.slice(0, 8));
  expect(left()).toEqual(["20200101", "20261201", "20261220", "20270115"]);
  expect(readPruned(folder)).toEqual({ operations: 2, until: "20261210-120000-001" });
  pruneJournals(folder, now + 100 * 86_400_000);
  expect(left()).toEqual(["20200101"]);
  expect(readPruned(folder)).toEqual({ operations: 5, until: "20270115-120000-001" });
});

test("of operations with one change a thousand stay", () => {
  const folder = createFolder();
  mkdirSync(join(folder, "journal"));
  for (let number = 1; number <= 1005; number++)
    writeFileSync(join(folder, "journal", `20270115-110000-${String(number).padStart(4, "0")}.one.ndjson`), "");
  pruneJournals(folder, now);
  expect(listJournals(folder)).toHaveLength(1000);
  expect(listJournals(folder).at(-1)?.operation).toBe("20270115-110000-0006");
});

const disk = mkdtempSync(join(tmpdir(), "cal-disk-"));
const mounted = mount();
if (!mounted) console.warn("the test of a full disk is skipped: it needs the right to mount a tmpfs (run it as root)");

function mount(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    rmSync(disk, { recursive: true });
    return false;
  }
}

test.skipIf(!mounted)("a full disk stops before the next write", async () => {
  onTestFinished(() => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  });
  const journal = open(disk);
  const first = journal.begin(change, {});
  await first.request(request);
  try {
    for (let number = 0; ; number++) writeFileSync(join(disk, `filler-${number}`), Buffer.alloc(4096));
  } catch (error) {
    expect(codeOf(error)).toBe("ENOSPC");
  }
  // The answer has no room. What was done stays done.
  first.answer(200);
  first.done({ id: "12", after: { description: "x".repeat(5000) } });
  const second = journal.begin({ ...change, key: "13" }, {});
  await expect(second.request(request)).rejects.toThrow(
    expect.objectContaining({ kind: "local", message: expect.stringContaining("nothing more is sent") }),
  );
  journal.close();
  const [entry] = listJournals(disk);
  expect(entry?.state).toBe("open");
  expect(readFileSync(entry?.path ?? "", "utf8")).toContain('"key":"12"');
  expect(readFileSync(entry?.path ?? "", "utf8")).not.toContain('"key":"13"');
});
