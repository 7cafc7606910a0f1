// The answers to a shell on the Tab key: the protocol of the scripts, the candidates, and the cache.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type RequestRecorder, startRequestRecorder } from "../helpers/recorder.ts";
import { createSession, type Session } from "../helpers/session.ts";

const server = await startRequestRecorder();
const ns = "/wp-json/calendar/events/v1";
const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url };
const plain = createSession({ env: { CAL_SANDBOX: "0" } });

function newSite(more: Readonly<Record<string, string>> = {}): Session {
  return createSession({ env: { ...env, ...more } });
}

function addResponses(target: RequestRecorder): void {
  target.responses.set(`${ns}/venues`, {
    venues: [
      { id: 12, venue: "Blue Note", slug: "blue-note" },
      { id: 15, venue: "Café &amp; Bar", slug: "caf%c3%a9-bar" },
    ],
    total: 2,
  });
  target.responses.set(`${ns}/categories`, {
    categories: [
      { id: 1, name: "Music", slug: "music" },
      { id: 2, name: "Jazz", slug: "jazz" },
      { id: 3, name: "Food, Drink", slug: "food" },
    ],
    total: 3,
  });
}

beforeEach(() => {
  server.reset();
  addResponses(server);
});

/** The lines of the answer to fish, without the empty line that ends it. */
async function complete(cal: Session, ...line: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, code } = await cal.runArgs(["__complete", "fish", ...line]);
  expect({ stderr, code, end: stdout.slice(-2) }).toEqual({ stderr: "", code: 0, end: "\n\n" });
  return stdout.slice(0, -2).split("\n");
}

const texts = (lines: readonly string[]) => lines.slice(1).map((line) => line.split("\t")[0]);

describe("candidates that need no site", () => {
  test.each<readonly [line: readonly string[], answer: readonly string[]]>([
    [["ev"], ["words", "events\tList, read, create, update and delete events"]],
    [
      ["event", "l"],
      ["words", "list\tList events"],
    ],
    [
      ["--json", "-p", "x", "ven"],
      ["words", "venues\tList, read, create, update and delete venues"],
    ],
    [
      ["events", "list", "--no-fe"],
      ["words", "--no-featured\tNot: Filter by featured status"],
    ],
    [
      ["events", "list", "--format", "js"],
      ["words", "json"],
    ],
    [
      ["events", "list", "--json", "--excel", "--columns", "id", "--format", "js"],
      ["words", "json"],
    ],
    [
      ["events", "list", "--format=js"],
      ["words", "--format=json"],
    ],
    [
      ["events", "update", "1", "--method="],
      ["words", "--method=patch", "--method=put", "--method=post"],
    ],
    [
      ["events", "create", "--status", "p"],
      ["words", "publish", "pending", "private"],
    ],
    [
      ["events", "list", "--tz", "europe/par"],
      ["words", "Europe/Paris"],
    ],
    [
      ["events", "create", "--timezone", "Asia/Toky"],
      ["words", "Asia/Tokyo"],
    ],
    [
      ["events", "list", "--start-date", "tom"],
      ["words", "tomorrow"],
    ],
    [
      ["venues", "update", "1", "--clear", "zip,web"],
      ["words", "zip,website"],
    ],
    [
      ["tags", "create", "--set", "sl"],
      ["open", "slug=\tSlug"],
    ],
    [
      ["events", "list", "--fields", "id,ti"],
      ["words", "id,title\tTitle", "id,timezone\tTime zone of the event", "id,timezone_abbr"],
    ],
    [
      ["--namespace", "tr"],
      ["words", "tribe/events/v1"],
    ],
    [
      ["config", "get", "base"],
      ["words", "base_url\tREST root of the website"],
    ],
    [
      ["config", "set", "read_only", ""],
      ["words", "true", "false"],
    ],
    [
      ["config", "set", "tz", "Asia/Tok"],
      ["words", "Asia/Tokyo"],
    ],
    [
      ["help", "exit"],
      ["words", "exit-codes\texit codes for scripts"],
    ],
    [
      ["help", "events", "del"],
      ["words", "delete\tDelete events"],
    ],
    [
      ["schema", "event", "cr"],
      ["words", "create\tCreate an event"],
    ],
    [
      ["completion", "z"],
      ["words", "zsh"],
    ],
    [
      ["api", "P"],
      ["words", "POST", "PUT", "PATCH"],
    ],
    [["events", "create", "--data", "@x"], ["files\t@"]],
    [["events", "create", "--data=@x"], ["files\t--data=@"]],
    [["--ca-file", ""], ["files\t"]],
    [["nonsense", ""], ["words"]],
    [["events", "create", "--title", "x"], ["words"]],
    [["events", "get", "--", "--js"], ["words"]],
  ])("cal %j", async (line, answer) => {
    expect(await complete(plain, ...line)).toEqual(answer);
  });

  test("a flag that is used is not offered again, unless it may be repeated", async () => {
    const offered = texts(await complete(plain, "events", "list", "--all", "--venue", "1", "--"));
    expect([offered.includes("--all"), offered.includes("--venue"), offered.includes("--json")]).toEqual([false, true, true]);
  });

  test("where no argument fits, the command's own flags are offered", async () => {
    expect(texts(await complete(plain, "tags", "create", ""))).toContain("--name");
  });
});

describe("profiles", () => {
  test("by their names, with their addresses", async () => {
    const cal = createSession({ env: { CAL_SANDBOX: "0" } });
    await cal("profile add work --base-url https://work.example/wp-json");
    await cal("profile add home --base-url https://home.example/wp-json");
    expect(await complete(cal, "-p", "w")).toEqual(["words", "work\thttps://work.example/wp-json"]);
    expect(texts(await complete(cal, "profile", "use", ""))).toEqual(["work", "home"]);
    expect(texts(await complete(cal, "events", "copy", "103", "--to", "h"))).toEqual(["home"]);
    expect(await complete(cal, "profile", "add", "")).toEqual(["words"]);
  });

  test("a config file that can't be read is ignored", async () => {
    const cal = createSession({ env: { CAL_SANDBOX: "0" } });
    mkdirSync(join(cal.folder, "config"));
    writeFileSync(join(cal.folder, "config/config.json"), "{");
    expect(await complete(cal, "-p", "w")).toEqual(["words"]);
    expect(await complete(cal, "events", "get", "")).toEqual(["words"]);
    expect(texts(await complete(cal, "eve"))).toEqual(["events"]);
  });
});

describe("records", () => {
  test("as refs: slugs, ids after digits, and what a prefix asks for", async () => {
    const cal = newSite();
    expect(await complete(cal, "venues", "get", "")).toEqual(["words", "blue-note\tBlue Note", "café-bar\tCafé & Bar"]);
    expect(await complete(cal, "venues", "get", "1")).toEqual(["words", "12\tBlue Note", "15\tCafé & Bar"]);
    expect(await complete(cal, "venues", "get", "id:15")).toEqual(["words", "id:15\tCafé & Bar"]);
    expect(await complete(cal, "venues", "get", "12", "slug:caf")).toEqual(["words", "slug:café-bar\tCafé & Bar"]);
    expect(await complete(cal, "venues", "get", "name:bl")).toEqual(["words", "name:Blue Note\t12"]);
  });

  test("in flags: names, also after a comma; a name that contains a comma only alone", async () => {
    const cal = newSite();
    expect(await complete(cal, "events", "create", "--venue", "c")).toEqual(["words", "Café & Bar\t15"]);
    expect(await complete(cal, "events", "list", "--category=Mu")).toEqual(["words", "--category=Music\t1"]);
    expect(await complete(cal, "events", "list", "--category", "Music,")).toEqual(["words", "Music,Music\t1", "Music,Jazz\t2"]);
    expect(await complete(cal, "events", "list", "--category", "F")).toEqual(["words", "Food, Drink\t3"]);
    expect(await complete(cal, "events", "update", "7", "--add-category", "Ja")).toEqual(["words", "Jazz\t2"]);
    expect(await complete(cal, "events", "update", "7", "--remove-category=Music,J")).toEqual(["words", "--remove-category=Music,Jazz\t2"]);
    expect(await complete(cal, "month", "--category", "Ja")).toEqual(["words", "Jazz\t2"]);
    expect(await complete(cal, "venues", "create", "--venue", "")).toEqual(["words"]);
  });

  test("a record without a unique name is offered in another form", async () => {
    const cal = newSite();
    server.responses.set(`${ns}/venues`, {
      venues: [
        { id: 1, venue: "Hall", slug: "2027" },
        { id: 2, venue: "HALL", slug: "a/b" },
        { id: 3, venue: "1984", slug: "name:x" },
        { id: 4, venue: "", slug: "" },
        { id: 5, venue: "Five", slug: "five.1" },
      ],
    });
    expect(await complete(cal, "venues", "get", "")).toEqual([
      "words",
      "slug:2027\tHall",
      "2\tHALL",
      "slug:name:x\t1984",
      "4",
      "slug:five.1\tFive",
    ]);
    expect(await complete(cal, "events", "list", "--venue", "")).toEqual(["words", "1\tHall", "2\tHALL", "name:1984\t3", "4", "Five\t5"]);
  });

  test("after name: a name of several records is offered too: at a terminal the user chooses one", async () => {
    const cal = newSite();
    server.responses.set(`${ns}/venues`, {
      venues: [
        { id: 1, venue: "Hall", slug: "hall" },
        { id: 2, venue: "HALL", slug: "hall-2" },
        { id: 3, venue: "Harbour", slug: "harbour" },
        { id: 4, venue: "", slug: "" },
      ],
    });
    expect(await complete(cal, "venues", "get", "name:ha")).toEqual(["words", "name:Hall\t2 of this name", "name:Harbour\t3"]);
    expect(await complete(cal, "venues", "get", "name:H")).toEqual(["words", "name:Hall\t2 of this name", "name:Harbour\t3"]);
  });

  test("from the sandbox", async () => {
    const cal = createSession();
    expect(texts(await complete(cal, "venues", "get", "town"))).toEqual(["town-hall"]);
    expect(texts(await complete(plain, "--sandbox", "venues", "get", "town"))).toEqual(["town-hall"]);
  });

  test("none, and no error, where no site is chosen", async () => {
    expect(await complete(plain, "events", "get", "")).toEqual(["words"]);
  });
});

describe("the cache", () => {
  test("one short request for ten minutes, terms without events too, and no login", async () => {
    const cal = newSite();
    for (const word of ["", "b", "c"]) await complete(cal, "categories", "get", word);
    expect(server.receivedRequests).toEqual([`GET ${ns}/categories?per_page=50&hide_empty=false`]);
    expect(server.headers.map(({ authorization }) => authorization)).toEqual([undefined]);
    const shared = { CAL_CACHE_DIR: join(cal.folder, "cache") };
    await complete(createSession({ env: { ...env, ...shared }, now: "2027-01-15T12:09:00Z" }), "categories", "get", "");
    expect(server.receivedRequests.length).toBe(1);
    await complete(createSession({ env: { ...env, ...shared }, now: "2027-01-15T12:11:00Z" }), "categories", "get", "");
    expect(server.receivedRequests.length).toBe(2);
  });

  test("a token of the environment is sent", async () => {
    await complete(newSite({ CAL_TOKEN: "t0k3n" }), "venues", "get", "");
    expect(server.headers.map(({ authorization }) => authorization)).toEqual(["Bearer t0k3n"]);
  });

  test("list, get, create and update add to it, delete removes from it", async () => {
    const cal = newSite();
    await complete(cal, "organizers", "get", "");
    server.responses.set(`${ns}/organizers`, [
      { id: 1, organizer: "Ada", slug: "ada" },
      { id: 2, organizer: "Bob", slug: "bob" },
    ]);
    await cal("organizers list");
    server.responses.set(`${ns}/organizers/3`, { id: 3, organizer: "Cleo", slug: "cleo" });
    await cal("organizers get 3");
    expect(texts(await complete(cal, "organizers", "get", ""))).toEqual(["cleo", "ada", "bob"]);
    server.responses.set(`${ns}/organizers/1`, { id: 1, organizer: "Ada", slug: "ada-l" });
    await cal("organizers update 1 --phone 1");
    await cal("organizers delete 3 --yes");
    expect(texts(await complete(cal, "organizers", "get", ""))).toEqual(["ada-l", "bob"]);
    server.responses.set(`${ns}/organizers/2`, { id: 2, organizer: "Bob", slug: "bobby" });
    await cal("organizers get 2 1");
    expect(texts(await complete(cal, "organizers", "get", ""))).toEqual(["bobby", "ada-l"]);
    await cal("tags create --name free");
    expect(texts(await complete(cal, "events", "list", "--tag", "f"))).toEqual(["free"]);
    // A delete reads the events that have the record.
    expect(server.receivedRequests.filter((request) => request.includes("per_page=50") && !request.includes("/events?"))).toEqual([
      `GET ${ns}/organizers?per_page=50`,
      `GET ${ns}/tags?per_page=50&hide_empty=false`,
    ]);
  });

  test("each site and each profile has its own", async () => {
    const cal = newSite();
    await complete(cal, "venues", "get", "");
    server.responses.clear();
    expect(await complete(cal, "--namespace", "other/v1", "venues", "get", "")).toEqual(["words"]);
    expect(await complete(cal, "-p", "other", "venues", "get", "")).toEqual(["words"]);
    expect(texts(await complete(cal, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
  });

  test("only the user can read it, and everything works without it", async () => {
    const cal = newSite();
    await complete(cal, "venues", "get", "");
    const folder = join(cal.folder, "cache/completion");
    const files = readdirSync(folder);
    expect(files).toEqual([expect.stringMatching(/^venues-[0-9a-f]{16}\.json$/)]);
    expect(files.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600]);
    const blocked = newSite();
    writeFileSync(join(blocked.folder, "cache"), "in the way");
    expect(texts(await complete(blocked, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
    expect((await blocked("venues list --format ids")).stdout).toBe("12\n15\n");
  });

  test("a file or a folder that others can write is not used", async () => {
    const cal = newSite();
    await complete(cal, "venues", "get", "");
    const folder = join(cal.folder, "cache/completion");
    const [file = ""] = readdirSync(folder);
    const forged = { id: "9", slug: "forged", name: "x", ref: "forged" };
    const { asked } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    writeFileSync(join(folder, file), JSON.stringify({ asked, entries: [forged] }));
    chmodSync(join(folder, file), 0o666);
    expect(texts(await complete(cal, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
    const open = newSite();
    mkdirSync(join(open.folder, "cache/completion"), { recursive: true });
    chmodSync(join(open.folder, "cache/completion"), 0o777);
    expect(texts(await complete(open, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
    expect(readdirSync(join(open.folder, "cache/completion"))).toEqual([]);
  });

  test("unexpected content can't break a line", async () => {
    const cal = newSite();
    await complete(cal, "venues", "get", "");
    const [file = ""] = readdirSync(join(cal.folder, "cache/completion"));
    const path = join(cal.folder, "cache/completion", file);
    const { asked: when, entries } = JSON.parse(readFileSync(path, "utf8"));
    for (const slug of ["a\nb", "a\tb", "a\u001b[31m", 7, null]) entries.unshift({ id: "9", slug, name: "x" });
    chmodSync(path, 0o600);
    writeFileSync(path, JSON.stringify({ asked: when, entries }));
    expect(texts(await complete(cal, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
    writeFileSync(path, "not JSON");
    expect(texts(await complete(cal, "venues", "get", ""))).toEqual(["blue-note", "café-bar"]);
  });
});

describe("a site that does not answer", () => {
  let connections = 0;
  const silent = createServer();
  silent.on("connection", () => connections++);
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  test("is waited for once and no longer than a second, without an error", async () => {
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const cal = createSession({
      env: { CAL_SANDBOX: "0", CAL_DEBUG: "1", CAL_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
    });
    expect(await complete(cal, "events", "get", "")).toEqual(["words"]);
    expect(await complete(cal, "events", "get", "")).toEqual(["words"]);
    expect(connections).toBe(1);
  }, 10_000);

  test.each([
    ["rejects", 401],
    ["breaks", 500],
  ])("one that %s is ignored", async (_what, status) => {
    const broken = createServer((_request, response) => response.writeHead(status, { "content-type": "application/json" }).end("{}"));
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve));
    const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: `http://127.0.0.1:${(broken.address() as AddressInfo).port}` } });
    expect(await complete(cal, "events", "get", "")).toEqual(["words"]);
    broken.close();
  });
});

test("events are offered with their start, and records of the trash are not", async () => {
  server.responses.set(`${ns}/events`, {
    events: [
      { id: 103, title: "Jazz Night", slug: "jazz-night", start_date: "2027-01-16 20:00:00" },
      { id: 104, title: "Jazz Night", slug: "jazz-night-2", start_date: "2027-02-16 20:00:00" },
      { id: 105, title: "Jazz Night", slug: "jazz-night__trashed", status: "trash", start_date: "2027-03-16 20:00:00" },
    ],
    total: 3,
  });
  const cal = newSite();
  expect(await complete(cal, "events", "get", "jazz")).toEqual([
    "words",
    "jazz-night\tJazz Night, 2027-01-16 20:00",
    "jazz-night-2\tJazz Night, 2027-02-16 20:00",
  ]);
  // What a delete answers where there is a trash.
  server.responses.set(`${ns}/events/104`, { id: 104, title: "Jazz Night", slug: "jazz-night-2__trashed", status: "trash" });
  await cal("events delete 104 --yes");
  expect(texts(await complete(cal, "events", "get", "jazz"))).toEqual(["jazz-night"]);
});
