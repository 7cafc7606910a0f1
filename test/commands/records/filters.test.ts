// Filters that a server refuses or ignores, by the answers that were recorded.

import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { createServerSession, startTestServer, type TestResponse } from "./server.ts";

async function recorded(name: string): Promise<TestResponse> {
  const text = await readFile(new URL(`../../recorded-edge/${name}.http`, import.meta.url), "utf8");
  const [head = "", body = ""] = text.split(/\r?\n\r?\n/);
  return { status: Number(head.split(" ")[1]), body: JSON.parse(body) };
}

async function createSite(answer: TestResponse) {
  const server = await startTestServer(() => answer);
  return { cal: createServerSession(server.url, "tec"), received: server.receivedRequests };
}

test("a venue that is not there is not found", async () => {
  const { cal } = await createSite(await recorded("a_venue_missing"));
  const { stdout, stderr } = await expectExitCode(cal("events list --all-dates --venue 99999"), 3);
  expect({ stdout, stderr }).toEqual({
    stdout: "",
    stderr: "cal: there is no venue 99999\nhint: see what is there: cal venues list\n",
  });
});

test.each([
  ["6.10", "rest_invalid_param", { id: "Invalid parameter." }],
  ["6.17", "rest-invalid-event-id", undefined],
])("the id of a venue is no event, by version %s", async (_version, code, params) => {
  const body = { code, message: "Invalid parameter(s): id", data: { status: 400, ...(params && { params }) } };
  const { cal } = await createSite({ status: 400, body });
  const { stderr } = await expectExitCode(cal("events get 23"), 3);
  expect(stderr).toBe("cal: there is no event 23\nhint: see what is there: cal events list\n");
});

const imageHint =
  "hint: --image takes the id of a picture in the site's media library, or an address where the site can read it\nhint: see what is there: cal api GET /wp/v2/media\n";

test.each([
  ["alone", { image: "Invalid parameter." }, `cal: the site has no picture with the id 999999\n${imageHint}`],
  ["with another field", { image: "Invalid parameter.", cost: "Invalid parameter." }, imageHint],
])("an image that is refused %s: the hint says what it takes", async (_how, params, says) => {
  const message = `Invalid parameter(s): ${Object.keys(params).join(", ")}`;
  const { cal } = await createSite({ status: 400, body: { code: "rest_invalid_param", message, data: { status: 400, params } } });
  const { stderr } = await expectExitCode(cal("events update 7 --raw --image 999999"), 6);
  expect(stderr).toContain(says);
});

describe("--geoloc", () => {
  test.each(["--geoloc", "--geoloc --geoloc-lat 48.85 --geoloc-lng 2.35"])(
    "%s is warned of where the answer shows that it was ignored",
    async (flags) => {
      const { cal } = await createSite(await recorded("a_geoloc"));
      const { stderr } = await expectExitCode(cal(`events list --all-dates ${flags} --page 1`), 0);
      const names = flags.match(/--[a-z-]+/g)?.join(" and ");
      expect(stderr).toContain(`warning: the server ignored ${names}: that needs the premium extension of its calendar\n`);
    },
  );

  test("is not warned of where the venues have coordinates, or without it", async () => {
    const events = [{ id: 1, title: "A", venue: { id: 2, venue: "V", geo_lat: 48.85, geo_lng: 2.35 } }];
    const { cal } = await createSite({ body: { events, total: 1, total_pages: 1 } });
    expect((await expectExitCode(cal("events list --all-dates --geoloc"), 0)).stderr).toBe("");
    const { cal: other } = await createSite(await recorded("a_geoloc"));
    expect((await expectExitCode(other("events list --all-dates --page 1"), 0)).stderr).not.toContain("ignored");
    expect((await expectExitCode(cal("events list --all-dates --no-geoloc"), 0)).stderr).toContain("the server ignored --geoloc");
  });
});

test.each([
  ["events list --search ''", "cal: --search is empty: it takes a text to search for\n"],
  ["tags list --search ' '", "cal: --search is empty: it takes a text to search for\n"],
  ["venues list --has-events maybe", 'cal: --has-events takes true, false, not "maybe"\n'],
  ["venues list --status draft --status nosuch", "cal: --status takes publish,"],
])("%s is refused before anything is sent", async (line, problem) => {
  const { cal, received } = await createSite({ body: {} });
  const { stderr } = await expectExitCode(cal(line), 2);
  expect(stderr).toContain(problem);
  expect(received).toEqual([]);
});
