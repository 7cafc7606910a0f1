// A server that means harm, word by word: whatever it sends in errors, headers, redirects, names and addresses stays words.

import { beforeEach, describe, expect, test } from "vitest";
import { formatRecordAsYaml, parseFieldValues } from "../../src/commands/records/edit.ts";
import { resources } from "../../src/model/resources.ts";
import { serverProfiles } from "../../src/model/server-profiles.ts";
import { startTestServer, type TestResponse } from "../api/replies/canned.ts";
import { createScriptedPrompt } from "../commands/prompts/scripted-prompt.ts";
import { createSession } from "../helpers/session.ts";

const evil = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eJazz\u2066\u0000\r\n\tcal: all is well";
const requested: string[] = [];
let answers: (line: string) => TestResponse = () => ({ body: "{}" });
const url = await startTestServer((line) => {
  requested.push(line);
  return answers(line);
});
const env = { CAL_SANDBOX: "0", CAL_TOKEN: "t0k3n", CAL_BASE_URL: url, CAL_RETRIES: "1", NO_COLOR: "1" };
const terminal = createSession({ env, columns: 200 });
const site = createSession({ env: { ...env, CAL_BASE_URL: "" }, columns: 200 });

beforeEach(() => {
  requested.length = 0;
});

/** What a terminal would act on, or show otherwise than it is. */
const raw = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): TestResponse {
  return { status, headers, body: JSON.stringify(value) };
}

const record = { id: 7, name: evil, slug: evil, url: `https://x.example/${evil}`, status: evil };
const latin1 = Buffer.from("\u009b31m\u0090owned", "latin1").toString("latin1");

const rows: readonly (readonly [where: string, line: string, answer: TestResponse])[] = [
  ["an error's message and code", "tags get 7", json(400, { code: evil, message: evil, data: { params: { [evil]: evil } } })],
  ["the same as JSON", "tags get 7 --json", json(400, { code: evil, message: evil, data: { params: { [evil]: evil }, status: evil } })],
  ["an error in a success", "tags get 7 --json", json(200, { errors: { [evil]: [evil] } })],
  ["an OAuth error", "tags get 7 --json", json(401, { error: evil, error_description: evil })],
  [
    "the namespaces of a site",
    "tags get 7",
    json(404, { code: "rest_no_route", message: evil, namespaces: [`${evil}/events/v1`, "x; rm -rf ~/events/v1"] }),
  ],
  ["a content type", "tags get 7", { headers: { "content-type": `text/html; ${latin1}` }, body: "<html>" }],
  ["a body that is no JSON", "tags get 7", { body: evil }],
  ["the same as JSON", "tags get 7 --json", { body: evil }],
  ["Retry-After", "tags get 7", json(503, {}, { "retry-after": latin1 })],
  ["the place of a redirect", "tags get 7", json(302, {}, { location: "/%1b]0;owned%07/%c2%9b31m?x=%1b" })],
  ["a redirect to another host", "tags get 7", json(302, {}, { location: "https://$(reboot).example/" })],
  ["headers under --debug", "tags get 7 --debug", json(200, record, { "x-evil": latin1 })],
  ["headers that are shown", "api GET tags/7 --show-headers", json(200, record, { "x-evil": latin1 })],
  ["a record that was created", "tags create --name free", json(200, record)],
  ["a record that was updated", "tags update 7 --name free", json(200, record)],
  ["a record that was deleted", "tags delete 7 --yes", json(200, record)],
  ["names that are listed", "tags list", json(200, [record])],
  ["many refs", "tags get 7 8", json(200, record)],
  ["many refs that fail", "tags get 7 8 --json", json(400, { code: evil, message: evil })],
];

describe("what a server sends reaches no terminal raw", () => {
  test.each(rows)("%s: cal %s", async (_where, line, answer) => {
    answers = () => answer;
    const { stdout, stderr } = await terminal(line);
    expect(`${stdout}${stderr}`.replaceAll("\t", "")).not.toMatch(raw);
    expect(`${stdout}${stderr}`).not.toMatch(/^cal: all is well/m);
  });

  test("the name of a site that is set up", async () => {
    answers = () => json(200, { name: evil, namespaces: ["tribe/events/v1", evil], timezone_string: evil, authentication: {} });
    const { stdout, stderr } = await site(`init ${url}`);
    expect(`${stdout}${stderr}`).not.toMatch(raw);
  });
});

test("no line of what is edited is one that the server put between", () => {
  const address = "https://x.example/\nname: forged\rslug: forged\u2028# ";
  for (const kind of Object.values(serverProfiles)) {
    const text = formatRecordAsYaml(
      resources.tags,
      { record: { ...record, name: "Jazz", slug: "jazz", description: "", url: address } },
      kind,
    );
    expect(parseFieldValues(text)).toMatchObject({ name: "Jazz", slug: "jazz" });
    expect(text.split("\n")[0]).toBe('# tag 7 "Jazz" https://x.example/ name: forged slug: forged # ');
  }
});

describe("commands in hints can be pasted", () => {
  const hintOf = async (answer: TestResponse): Promise<string> => {
    answers = () => answer;
    const { stderr } = await terminal("tags get 7");
    return stderr.split("\n").find((line) => line.startsWith("hint:")) ?? "";
  };

  test("a namespace that is none is not repeated in one", async () => {
    const names = ["$(reboot)/events/v1", "-x/events/v1", "a b/events/v1", "tribe/events/v1"];
    const hint = await hintOf(json(404, { code: "rest_no_route", message: "No route.", namespaces: names }));
    expect(hint).toBe("hint: choose the calendar's namespace: --namespace tribe/events/v1, or: cal config set namespace tribe/events/v1");
  });

  test("a host with signs of a shell is quoted", async () => {
    const hint = await hintOf(json(302, {}, { location: "http://$(reboot).example/" }));
    expect(hint).toBe(
      "hint: if that is the site's new address, change CAL_BASE_URL: export CAL_BASE_URL='http://$(reboot).example/wp-json'",
    );
  });

  test("so is a title in the search that reports what became of a create", async () => {
    answers = () => json(500, { code: "fatal", message: "x" });
    const { stderr } = await terminal.runArgs(["tags", "create", "--name", "it's $(reboot)"]);
    expect(stderr).toContain("cal tags list --search 'it'\\''s $(reboot)' --include-empty");
  });
});

test("no address out of a reply is asked", async () => {
  const next = "https://other.example/steal";
  answers = () => json(200, { tags: [record], total: 1, next_rest_url: next, rest_url: next, _links: { next: [{ href: next }] } });
  await terminal("tags list --all");
  expect(requested.every((line) => line.startsWith("GET /wp-json/calendar/events/v1/tags"))).toBe(true);
});

describe("what the user is prompted holds no words that act on the terminal", () => {
  const asker = (answered: readonly (string | boolean)[], more: Readonly<Record<string, string>> = {}) => {
    const ann = createScriptedPrompt(...answered);
    const cal = createSession({ env: { ...env, ...more }, columns: 100, prompt: ann });
    return { ann, cal };
  };

  test("whose login it is", async () => {
    const { ann, cal } = asker(["abcd efgh", "abcd efgh", false], { CAL_TOKEN: "" });
    for (const username of ["ann", evil]) {
      answers = () => json(200, { id: 7, username });
      await cal("auth login --method application-password --username ann --insecure-storage --no-browser");
    }
    expect(ann.transcript.at(-1)).toBe("The profile was logged in as ann. Replace that by Jazz cal: all is well?");
  });

  test("what is deleted, and which of several records is meant", async () => {
    const { ann, cal } = asker([false, "7"]);
    answers = () => json(200, record);
    await cal("tags delete 7");
    answers = () => json(200, [record, { ...record, id: 8 }]);
    await cal.runArgs(["tags", "get", "name:Jazz cal: all is well"]);
    expect(ann.transcript.length).toBe(2);
    expect(ann.transcript.join("\n")).not.toMatch(raw);
    expect(ann.transcript.join("\n")).toContain("Jazz cal: all is well");
  });
});
