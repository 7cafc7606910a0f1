// --without: records that lack something, from all pages.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { fetchAllEvents, type JsonRecord, openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

const isEmpty = (value: unknown) => value === undefined || value === false || value === "" || (Array.isArray(value) && value.length === 0);

describe.each(["generic", "the-events-calendar"] as const)("with the server profile %s", (serverProfile) => {
  test.each([
    ["venue", ["venue"]],
    ["organizer", ["organizer"]],
    ["category", ["categories"]],
    ["tag", ["tags"]],
    ["image", ["image"]],
    ["description", ["description"]],
    ["venue,image", ["venue", "image"]],
    ["venue --without tag", ["venue", "tags"]],
  ])("events list --without %s", async (flags, fields) => {
    const session = await openSandboxSession(serverProfile);
    const without = await session.fetchJson("events", "POST", {
      title: "Bare",
      start_date: "2027-02-01 10:00:00",
      end_date: "2027-02-01 11:00:00",
    });
    const all: readonly JsonRecord[] = [...(await fetchAllEvents(session)), without];
    const { stdout } = await expectExitCode(session.cal(`events list --all-dates --all --json --without ${flags}`), 0);
    const ids = (JSON.parse(stdout) as JsonRecord[]).map(({ id }) => id);
    const listed = JSON.parse((await session.cal("events list --all-dates --all --json")).stdout) as JsonRecord[];
    const expected = listed.filter((event) => fields.every((field) => isEmpty(event[field]))).map(({ id }) => id);
    expect(ids).toEqual(expected);
    expect(ids).toContain(without["id"]);
    expect(all.length).toBeGreaterThan(ids.length);
  });
});

test("a page has as many records as it was asked for, from as many pages as needed", async () => {
  const server = await startTestServer(({ query }) => {
    const first = (Number(query.get("page") ?? 1) - 1) * 50;
    const venues = Array.from({ length: 50 }, (_none, at) => ({
      id: first + at + 1,
      venue: "V",
      ...((first + at) % 10 === 0 ? {} : { image: { id: 1 } }),
    }));
    return { body: { venues, total: 200, total_pages: 4 } };
  });
  const cal = createServerSession(server.url);
  const { stdout, stderr } = await expectExitCode(cal("venues list --without image --limit 12 --format ids"), 0);
  expect(stdout.trimEnd().split("\n").map(Number)).toEqual(Array.from({ length: 12 }, (_none, at) => at * 10 + 1));
  expect(stderr).toBe("showing 12, and there are more, use --all\n");
  expect((await cal("venues list --without image --format count")).stdout).toBe("20\n");
});

test("the views take it too, and a field that can't be lacking is refused", async () => {
  const { cal } = await openSandboxSession("generic");
  const read = async (line: string) => {
    const days = JSON.parse((await expectExitCode(cal(`${line} --json`), 0)).stdout) as { readonly events: readonly JsonRecord[] }[];
    return [...new Set(days.flatMap(({ events }) => events.map(({ id }) => String(id))))].sort();
  };
  const lacking = (await cal("events list --all-dates --all --format ids --without venue")).stdout.trimEnd().split("\n");
  const bare = await read("agenda --next 60d --without venue");
  expect(bare).toEqual((await read("agenda --next 60d")).filter((id) => lacking.includes(id)));
  expect(bare.length).toBeGreaterThan(0);
  const { stderr } = await expectExitCode(cal("events list --without title"), 2);
  expect(stderr).toContain('--without takes description, image, venue, organizer, category, tag, not "title"');
  expect((await expectExitCode(cal("venues list --without venue"), 2)).stderr).toContain("--without takes description, image");
});
