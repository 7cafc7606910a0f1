// Ids of categories and tags that do not exist: real servers ignore them, or remove all links.

import { describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";
import { createServerSession, startTestServer } from "./server.ts";

const dates = "--start-date '2027-05-01 10:00' --duration 1h";

describe.each(["generic", "the-events-calendar"] as const)("%s", (serverProfile) => {
  test.each([
    ["events update 103 --category 99", "there is no category 99"],
    ["events update 103 --add-category 99", "there is no category 99"],
    ["events update 103 --category 3,99", "there is no category 99"],
    ["events update 103 --category jazz,99", "there is no category 99"],
    ["events update 103 --set-json categories=[99]", "there is no category 99"],
    ["events update 103 104 --category 99 --raw", "there is no category 99"],
    [`events create --title X ${dates} --category 9999 --tag '#8888'`, "there is no category 9999\ncal: there is no tag 8888"],
    [`events create --title X ${dates} --tag 8888 --create-missing`, "there is no tag 8888"],
    ["events clone 103 --shift +1d --tag 8888", "there is no tag 8888"],
  ])("%s is refused, and nothing is sent", async (line, why) => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const before = JSON.stringify((await fetchJson("events/103"))["categories"]);
    const { stdout, stderr } = await expectExitCode(cal(line), 3);
    expect(stdout).toBe("");
    expect(stderr).toContain(`cal: ${why}\n`);
    expect(stderr).not.toContain("Updated");
    expect(JSON.stringify((await fetchJson("events/103"))["categories"])).toBe(before);
  });

  test("a tag that is called like the id is offered", async () => {
    const { cal, fetchJson } = await openSandboxSession(serverProfile);
    const { id } = await fetchJson("tags", "POST", { name: "2026" });
    const { stderr } = await expectExitCode(cal("events update 103 --add-tag 2026"), 3);
    expect(stderr).toContain(`there is no tag 2026\nhint: did you mean ${id} "2026" (2026)?\n`);
  });
});

describe("requests", () => {
  const ns = "/wp-json/calendar/events/v1";

  test("one for each id, however many events are updated, and none for what was looked up by name", async () => {
    const server = await startRequestRecorder();
    server.responses.set(`${ns}/tags`, { tags: [{ id: 20, name: "Free", slug: "free" }], total: 1 });
    await expectExitCode(createServerSession(server.url)("events update 7 8 9 --category 3,3 --tag free"), 0);
    expect(server.receivedRequests.filter((line) => /\/(?:categories|tags)/.test(line))).toEqual([
      `GET ${ns}/categories/3`,
      `GET ${ns}/tags?per_page=50&hide_empty=false&slug=free`,
    ]);
  });

  test("none for what a cloned event has", async () => {
    const server = await startRequestRecorder();
    server.responses.set(`${ns}/events/7`, {
      id: 7,
      title: "T",
      start_date: "2027-05-01 10:00:00",
      end_date: "2027-05-01 11:00:00",
      categories: [{ id: 3 }],
    });
    await expectExitCode(createServerSession(server.url)("events clone 7 --shift +1d --tag 4"), 0);
    expect(server.receivedRequests.filter((line) => /\/(?:categories|tags)/.test(line))).toEqual([`GET ${ns}/tags/4`]);
  });
});

describe("what an update says", () => {
  const event = {
    id: 7,
    title: "T",
    slug: "t",
    status: "draft",
    cost: "$3",
    website: "https://x.example/t",
    url: "https://x.example/t",
    image: false,
  };
  const own = { ...event, categories: [{ id: 3, name: "Jazz" }], tags: [], venue: { id: 21, venue: "Hall" } };
  const answering = async (answer: object) => {
    const server = await startTestServer(({ method }) => ({ body: method === "GET" ? own : { ...own, ...answer } }));
    return createServerSession(server.url, "tec");
  };

  test("is what the server answered, not what was requested", async () => {
    const cal = await answering({ status: "pending" });
    const { stderr } = await expectExitCode(cal("events update 7 --status publish"), 0);
    expect(stderr).toContain('Updated event 7 "T" https://x.example/t\n  status: "draft" -> "pending"\n');
    expect(stderr).toContain('the server keeps status as "pending", sent was "publish"');
  });

  test("has no line for what stayed, and the warning names links", async () => {
    const { stderr } = await expectExitCode((await answering({}))("events update 7 --add-category 5"), 0);
    expect(stderr).toBe(
      'Updated event 7 "T" https://x.example/t\nwarning: event 7 "T" https://x.example/t: the server keeps categories as Jazz (3), sent was Jazz (3), 5\n',
    );
  });

  test("reports what the server changed besides", async () => {
    const cal = await answering({ venue: { id: 22, venue: "Barn" }, website: "" });
    const { stderr } = await expectExitCode(cal("events update 7 --venue 22"), 0);
    expect(stderr).toBe('Updated event 7 "T" https://x.example/t\n  venue: Hall (21) -> Barn (22)\n');
  });

  test("has no line of many records for the website that a site empties by itself", async () => {
    const cal = await answering({ venue: { id: 22, venue: "Barn" }, website: "" });
    const { stderr } = await expectExitCode(cal("events update 7 7 --venue 22"), 0);
    expect(stderr).toContain("\n  venue: Hall (21) -> Barn (22)\n");
    expect(stderr).not.toContain("website");
  });

  test("reports pictures and links that the server dropped by their ids and names", async () => {
    const cal = await answering({ categories: [], image: { id: 5, url: "https://x.example/5.png" } });
    const { stderr } = await expectExitCode(cal("events update 7 --status publish"), 0);
    expect(stderr).toContain('\n  image: nothing -> "5" (by the server)\n  categories: Jazz (3) -> none (by the server)\n');
  });

  test.each([
    ["5 EUR", "$5", true],
    ["5-10 EUR", "$5 – $10", true],
    ["€5", "€5", false],
    ["5", "$5", false],
    ["0 EUR", "Free", false],
    ["Free", "Free", false],
  ])("of a price of %s that is stored as %s", async (sent, stored, warns) => {
    const { stderr } = await expectExitCode((await answering({ cost: stored })).runArgs(["events", "update", "7", "--cost", sent]), 0);
    expect(stderr).toContain(`cost: "$3" -> ${JSON.stringify(stored)}`);
    expect(stderr.includes(`the server keeps cost as ${JSON.stringify(stored)}, sent was ${JSON.stringify(sent)}`)).toBe(warns);
  });
});

describe("what is not there is called by its name", () => {
  const cal = createSession({ env: { CAL_SANDBOX_HABITS: "the-events-calendar" } });

  test.each([
    ["events get 99999", 3, "cal: there is no event 99999\nhint: see what is there: cal events list\n"],
    ["events get no-such-thing", 3, 'cal: there is no event "no-such-thing"\n'],
    ["tags update 99999 --name X", 3, "cal: there is no tag 99999\n"],
    ["events list --venue 999", 3, "cal: there is no venue 999\nhint: see what is there: cal venues list\n"],
    [
      "events list --category 999,3 --all-dates",
      3,
      "cal: not all of the categories 999, 3 are there\nhint: see what is there: cal categories list\n",
    ],
    ["events update 103 --venue 999", 6, "cal: there is no venue 999\n"],
    [
      "categories create --name Music",
      6,
      "cal: there is a category of this name already: 2\nhint: see it: cal categories get 2\nhint: an event gets it with --category 2\n",
    ],
    ["events get 169,175", 2, 'cal: "169,175" is several ids in one word\nhint: write them with spaces between them: 169 175\n'],
  ])("%s", async (line, code, says) => {
    expect((await expectExitCode(cal(line), code)).stderr).toContain(says);
  });

  test("#103 is the id 103", async () => {
    expect((await expectExitCode(cal("events get '#103' --field title"), 0)).stdout).toBe("Jazz Night\n");
  });
});
