// Updates, reads and restores against recorded answers of two real sites: what is sent after them.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { createServerSession, type ReceivedRequest, startTestServer, type TestResponse } from "./server.ts";

/** A recorded answer, with its status and its JSON. */
function readAnswer(name: string): Required<Pick<TestResponse, "status" | "body">> {
  const text = readFileSync(new URL(`../../recorded-edge/${name}.http`, import.meta.url), "utf8");
  const [, status] = /^HTTP\S+ (\d+)/.exec(text) ?? [];
  return { status: Number(status), body: JSON.parse(text.slice(text.search(/\r?\n\r?\n/))) as unknown };
}

/** What was written: `METHOD path` and the JSON of its body. */
function parseWrites(receivedRequests: readonly string[]) {
  const writes = receivedRequests.filter((line) => !line.startsWith("GET "));
  return writes.map((line) => {
    const [, target, body = "null"] = /^(\S+ \S+) (.*)$/s.exec(line) ?? [];
    return [target, JSON.parse(body) as unknown];
  });
}

describe.each([
  ["6.10.0", "a", 55, 159],
  ["6.17.2", "b", 56, 160],
] as const)("version %s", (_version, site, bigId, passwordId) => {
  test("a price that no update keeps is restored as it was stored, in four requests", async () => {
    const say = ({ method, path }: ReceivedRequest): TestResponse => {
      if (method === "GET") return readAnswer(path.includes("/wp/v2/") ? `${site}_cost_big_wpv2` : `${site}_cost_big_get`);
      if (method === "PATCH") return readAnswer(`${site}_cost_big_patch_string`);
      return readAnswer(`${site}_cost_big_wpv2`);
    };
    const { url, receivedRequests } = await startTestServer(say);
    const cal = createServerSession(url, "tec");
    const { stdout, stderr } = await expectExitCode(cal(`events update ${bigId} --title Renamed --json`), 0);
    expect(receivedRequests).toHaveLength(4);
    expect(parseWrites(receivedRequests)).toEqual([
      [`PATCH /tribe/events/v1/events/${bigId}`, expect.objectContaining({ title: "Renamed", date_utc: "2025-01-08 05:07:07" })],
      [
        expect.stringContaining(`POST /wp/v2/tribe_events/${bigId}`),
        { meta: { _EventCost: "1,234.56", _EventCurrencySymbol: "", _EventCurrencyPosition: "" } },
      ],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ title: "Renamed", cost: "$.56", cost_details: { values: [".56", "1234"] } });
    expect(stderr).not.toContain("warning");
  });

  test("a price that is not restored is an error, with the command that restores it", async () => {
    const say = ({ method, path }: ReceivedRequest): TestResponse => {
      if (method === "GET") return readAnswer(path.includes("/wp/v2/") ? `${site}_cost_big_wpv2` : `${site}_cost_big_get`);
      if (method === "PATCH") return readAnswer(`${site}_cost_big_patch_string`);
      return {
        status: 403,
        body: { code: "rest_cannot_edit", message: "Sorry, you are not allowed to edit this post.", data: { status: 403 } },
      };
    };
    const { url } = await startTestServer(say);
    const { stderr } = await expectExitCode(createServerSession(url, "tec")(`events update ${bigId} --title Renamed`), 5);
    expect(stderr).toContain(`event ${bigId} was written, but its price "1,234.56" was not restored: Sorry`);
    expect(stderr).toContain(`cal api POST /wp/v2/tribe_events/${bigId} --data '{"meta":{"_EventCost":"1,234.56"`);
  });

  test("an event with a password is read in the context edit; a visitor is told why not", async () => {
    const say = ({ query }: ReceivedRequest): TestResponse =>
      readAnswer(query.get("context") === "edit" ? `${site}_password_get_edit` : `${site}_password_get`);
    const { url, receivedRequests } = await startTestServer(say);
    const { stdout } = await expectExitCode(createServerSession(url, "tec")(`events get ${passwordId} --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject({ id: passwordId, title: expect.stringContaining("day #59") });
    expect(receivedRequests).toHaveLength(2);

    const closed = await startTestServer(() => readAnswer(`${site}_password_get_edit_visitor`));
    const visitor = await createServerSession(closed.url, "tec", { env: { CAL_USERNAME: "", CAL_PASSWORD: "" } })(
      `events get ${passwordId}`,
    );
    expect(visitor.code).toBe(4);
    expect(visitor.stderr).toContain("the event has a password: not logged in");
    expect(visitor.stderr).toContain("cal auth login");
  });
});

test("an event that only the list of the trash shows is restored with its fields", async () => {
  const trashed = readAnswer("b_untrash_delete");
  const say = ({ method, path, query }: ReceivedRequest): TestResponse => {
    if (method === "PATCH") return readAnswer("b_untrash_patch");
    if (path.includes("/wp/v2/")) return { status: 404, body: { code: "rest_no_route", message: "No route", data: { status: 404 } } };
    if (query.get("status") === "trash") return { body: { events: [trashed.body], total: 1, total_pages: 1 } };
    return readAnswer("b_untrash_get");
  };
  const { url, receivedRequests } = await startTestServer(say);
  await expectExitCode(createServerSession(url, "tec")("events restore 100 --status publish"), 0);
  expect(parseWrites(receivedRequests)).toEqual([
    [
      "PATCH /tribe/events/v1/events/100",
      expect.objectContaining({
        status: "publish",
        date: "2025-01-30 00:29:29",
        timezone: "Asia/Kolkata",
        all_day: true,
        cost: "Donation",
        website: "http://example.org/29",
        organizer: [40],
      }),
    ],
  ]);
});
