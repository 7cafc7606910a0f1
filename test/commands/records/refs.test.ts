// A ref never finds another record than it names, and suggests similar ones where it finds none.

import { beforeEach, describe, expect, test } from "vitest";
import { expectExitCode, noPrompt } from "../../helpers/session.ts";
import { createServerSession, startTestServer } from "./server.ts";

/** As WordPress does: a slug is sanitised before it is looked up, whatever it was. */
const events = [
  { id: 12, title: "Jazz Night", slug: "jazz-night" },
  { id: 13, title: "Jazz &amp; Wine", slug: "jazz-wine" },
  { id: 14, title: "東京", slug: "%e6%9d%b1%e4%ba%ac" },
  { id: 15, title: "Naïve Art", slug: "naive-art" },
  { id: 16, title: "Winter Concert", slug: "winter-concert" },
  { id: 17, title: "Draft", slug: "" },
];
const categories = [{ id: 3, name: "Jazz", slug: "jazz" }];
const venues = [
  { id: 5, venue: "Blue Note", slug: "blue-note" },
  { id: 6, venue: "Café", slug: "cafe" },
];

const sanitised = (slug: string) =>
  slug
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");

/** Words of the search must all be in the name. */
const having = (rows: readonly object[], search: string) =>
  rows.filter((row) =>
    search
      .toLowerCase()
      .split(/\s+/)
      .every((word) => JSON.stringify(row).toLowerCase().includes(word)),
  );

let broken = false;
const server = await startTestServer(({ path, method, query, body }) => {
  const [, resource = "", ref = "", slug = ""] = /\/v1\/(events|venues|categories)(?:\/([\w-]+))?(?:\/(.+))?$/.exec(path) ?? [];
  const all: readonly { readonly id: number; readonly slug: string }[] = { events, venues, categories }[resource] ?? [];
  if (ref === "") {
    if (broken) return { status: 500, body: { code: "broken", message: "broken" } };
    const listed = query.has("slug") ? all.filter((row) => row.slug === query.get("slug")) : having(all, query.get("search") ?? "");
    return { body: { [resource]: listed } };
  }
  const wanted = ref === "by-slug" ? sanitised(decodeURIComponent(slug)) : ref;
  const found =
    wanted === "draft" ? events.at(-1) : all.find((row) => String(row.id) === wanted || decodeURIComponent(row.slug) === wanted);
  if (found === undefined) return { status: 404, body: { code: "event-not-found", message: "there is none" } };
  return { body: method === "GET" || body === "" ? found : { ...found, ...(JSON.parse(body) as object) } };
});
const cal = createServerSession(server.url);

beforeEach(() => {
  server.receivedRequests.length = 0;
  broken = false;
});

const writes = () => server.receivedRequests.filter((line) => !line.startsWith("GET "));

const verbs = [
  ["get", ""],
  ["update", " --title X"],
  ["clone", " --start-date 2027-01-10"],
  ["open", ""],
  ["delete", " --yes"],
] as const;

describe("a text that can't be a slug as it stands is refused, and nothing is sent", () => {
  test.each(verbs)("events %s 'Jazz Night'", async (verb, tail) => {
    const { stderr } = await expectExitCode(cal(`events ${verb} 'Jazz Night'${tail}`), 2);
    expect(stderr).toContain(`"Jazz Night"`);
    expect(stderr).toContain("'name:Jazz Night'");
    expect(stderr).toContain("'slug:Jazz Night'");
    expect(server.receivedRequests).toEqual([]);
  });

  const odd = [
    "Jazz",
    "jazz night",
    "jazz\tnight",
    "jazz\u0007",
    "jazz%20night",
    "%4Aazz",
    "jazz\u00a0night",
    "Été",
    "jazz–night",
    "%",
    "jazz%2",
  ];
  const signs = [..."/?#%&=+,;:\"'<>\\!@$^*()[]{}|~`."].map((sign) => `jazz${sign}night`);
  test.each([...odd, ...signs, ".", ".."])("%j", async (text) => {
    const { stderr } = await expectExitCode(cal.runArgs(["events", "update", "--title", "X", "--", text]), 2);
    expect(stderr).toMatch(/^cal: .*slug/);
    expect(server.receivedRequests).toEqual([]);
  });

  test("a line of stdin too", async () => {
    await expectExitCode(cal("events update - --title X", "12\nJazz Night\n"), 2);
    expect(server.receivedRequests).toEqual([]);
  });
});

test.each(["jazz-night", "%e6%9d%b1%e4%ba%ac", "%E6%9D%B1%E4%BA%AC", "東京", "jazz_2", "ジャズ・フェス", "ชื่อ", "🎷-night", "a"])(
  "%s may be a slug and is requested",
  async (slug) => {
    await cal.runArgs(["events", "get", "--", slug]);
    expect(server.receivedRequests[0]).toMatch(/^GET \/calendar\/events\/v1\/events\/by-slug\//);
  },
);

describe("what the server gave for a slug has another one", () => {
  test.each([
    ["events update 'slug:Jazz Night' --title X", 12],
    ["events update 'slug:Jazz Night' --title X --raw", 12],
    ["events update naïve-art --title X", 15],
    ["events delete naïve-art --yes", 15],
    ["events delete naïve-art --dry-run", 15],
    ["events clone 'slug:Jazz Night' --start-date 2027-01-10", 12],
  ])("%s is refused, and the record is named", async (line, id) => {
    const { stderr } = await expectExitCode(cal(line), 6);
    expect(stderr).toMatch(new RegExp(`event ${id} "`));
    expect(stderr).toContain(`id:${id}`);
    expect(writes()).toEqual([]);
  });

  test("the user is not prompted whether it is to be deleted", async () => {
    const interactiveCal = createServerSession(server.url, "generic", { columns: 200, prompt: noPrompt });
    await expectExitCode(interactiveCal("events delete 'slug:Jazz Night'"), 6);
    expect((await expectExitCode(interactiveCal("events delete winter-concrt"), 3)).stderr).toContain("did you mean 16");
  });

  test.each(["get", "open --dry-run"])("events %s reports it on stderr", async (verb) => {
    const { stderr } = await cal(`events ${verb} naïve-art`);
    expect(stderr).toMatch(/event 15 "Naïve Art".*naive-art/);
  });

  test("the same slug in another spelling is the same, and a record without a slug is taken as it is", async () => {
    for (const ref of ["東京", "%E6%9D%B1%E4%BA%AC", "draft", "jazz-night"]) {
      const { stderr } = await expectExitCode(cal(`events update ${ref} --title X`), 0);
      expect(stderr).not.toContain("slug");
    }
    await expectExitCode(cal("events delete jazz-night --yes"), 0);
    expect(writes()).toHaveLength(5);
  });

  test("a flag takes a record for its own slug or name only", async () => {
    await expectExitCode(cal("events update 12 --venue Café"), 0);
    expect(writes()).toEqual([expect.stringContaining('"venue":[6]')]);
    expect((await cal("events list --venue cafè")).code).toBe(3);
  });
});

describe("what is near", () => {
  test.each([
    ["events list --category Jaz", '3 "Jazz" (jazz)'],
    ["events list --venue 'Blu Note'", '5 "Blue Note" (blue-note)'],
    ["events list --venue 'Blue Nite'", '5 "Blue Note" (blue-note)'],
    ["events update 12 --venue Blue", '5 "Blue Note" (blue-note)'],
    ["events get winter-concrt", '16 "Winter Concert" (winter-concert)'],
    ["events get 'name:Winter Cnocert'", '16 "Winter Concert" (winter-concert)'],
    ["events update 'name:Jazz Nite' --title X", '12 "Jazz Night" (jazz-night)'],
    ["events delete 'name:jazz & wines' --yes", '13 "Jazz & Wine" (jazz-wine)'],
    ["events delete winter-concrt --yes", '16 "Winter Concert" (winter-concert)'],
    ["events open winter-concrt", '16 "Winter Concert" (winter-concert)'],
    ["categories get slug:jaz", '3 "Jazz" (jazz)'],
  ])("%s says %s", async (line, near) => {
    const { stderr } = await expectExitCode(cal(line), 3);
    expect(stderr).toContain(`did you mean ${near}`);
    expect(writes()).toEqual([]);
  });

  test("nothing is said where nothing is near, and an id is no name", async () => {
    expect((await expectExitCode(cal("events get something-else"), 3)).stderr).not.toContain("did you mean");
    server.receivedRequests.length = 0;
    expect((await expectExitCode(cal("events get 99"), 3)).stderr).not.toContain("did you mean");
    expect(server.receivedRequests).toHaveLength(1);
  });

  test("one request is the price, and none where it is forgiven or one of many", async () => {
    await cal("events get winter-concrt");
    expect(server.receivedRequests).toHaveLength(2);
    server.receivedRequests.length = 0;
    await cal("events get winter-concrt --ignore-missing");
    await cal("events get winter-concrt winter-concerts");
    expect(server.receivedRequests).toHaveLength(3);
  });

  test("the first failure stands where the search for it fails", async () => {
    broken = true;
    const { stderr } = await expectExitCode(cal("events get winter-concrt --retries 0"), 3);
    expect(stderr).toBe("cal: there is none\nhint: see what is there: cal events list\n");
  });
});
