// Requests that were sent to a real server are sent to the sandbox: the answers to wrong ones must be the same JSON.

import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import {
  createBasicHeader,
  fetchApiJson,
  getValueAt,
  type RequestOptions,
  readRecordedResponse,
  sendRequest,
  startTestSandbox,
} from "./client.ts";

interface Row {
  readonly name: string;
  readonly status: string;
  readonly method: string;
  readonly path: string;
  readonly auth: string;
  readonly content_type: string;
  readonly request_body: string;
}

const rows: readonly Row[] = parse(readFileSync(new URL("../recorded/index.csv", import.meta.url)), { columns: true, relax_quotes: true });

/** Recorded records that the seed has not, and what stands for them. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/events\/(23|225)(?=$|\?)/, "events/159"],
  [/events\/(18|2[02]|[34]\d\d)(?=$|\?)/, "events/101"],
  [/venues\/(4\d\d)(?=$|\?)/, "venues/22"],
  [/venues\/4(?=$|\?)/, "venues/21"],
  [/organizers\/(4\d\d|12)(?=$|\?)/, "organizers/31"],
  [/tags\/32(?=$|\?)/, "tags/13"],
  [/categories\/25(?=$|\?)/, "categories/3"],
];

/** What was done on the recorded site before. */
const slugged: RequestOptions = {
  json: { title: "x", slug: "full-slug-slugged-one", status: "draft", start_date: "2027-04-01", end_date: "2027-04-02" },
};
const before: Readonly<Record<string, readonly (readonly [path: string, ask: RequestOptions])[]>> = {
  event_get_draft_public: [["events/159", { json: { status: "draft" } }]],
  event_delete_second: [["events/101", { method: "DELETE" }]],
  event_get_trashed_public: [["events/101", { method: "DELETE" }]],
  event_slug_get_draft_public: [["events", slugged]],
  event_slug_delete_unauth: [["events", slugged]],
  venue_get_draft_public: [["venues/22", { json: { status: "draft" } }]],
  venue_delete_second: [["venues/22", { method: "DELETE" }]],
  organizer_get_draft_public: [["organizers/31", { json: { status: "draft" } }]],
  tag_delete_second: [["tags/13", { method: "DELETE" }]],
};

/** Not replayed: a password-protected event, headers that were not written down, and values that name recorded pictures and terms. */
const leftOut =
  /^(event_get_password_|auth_wrong_pw|auth_unknown_user|auth_login_password|event_create_image_id_int|event_update_echo_get|tag_create_dup$)/;

function requestOptionsOf(sandbox: Sandbox, row: Row): RequestOptions {
  const username = row.auth === "subscriber" ? "reader" : row.auth;
  const access = ["admin", "editor", "author", "contributor", "reader"].includes(username) ? createBasicHeader(sandbox, username) : {};
  const contentTypeHeader = row.content_type === "" ? {} : { "content-type": row.content_type };
  return {
    method: row.method,
    headers: { ...access, ...contentTypeHeader },
    ...(row.request_body === "" ? {} : { form: row.request_body }),
  };
}

function wasJson({ name }: Row): boolean {
  try {
    readRecordedResponse(name);
    return true;
  } catch {
    return false;
  }
}

const errors = rows.filter((row) => Number(row.status) >= 400 && !leftOut.test(row.name) && wasJson(row));

describe("errors of the older version", () => {
  test("are enough to mean something", () => {
    expect(errors.length).toBeGreaterThan(170);
  });

  test.each(errors)("$name", async (row) => {
    const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar" });
    for (const [path, ask] of before[row.name] ?? [])
      expect((await fetchApiJson(sandbox, path, { headers: createBasicHeader(sandbox, "admin"), ...ask })).status).toBeLessThan(300);
    const path = replacements.reduce((text, [theirs, ours]) => text.replace(theirs, ours), row.path);
    const { status, text } = await sendRequest(`${sandbox.siteUrl}${path}`, requestOptionsOf(sandbox, row));
    expect({ status, body: JSON.parse(text) }).toEqual(readRecordedResponse(row.name));
  });
});

describe("errors of the newer version", () => {
  test.each([
    "event_get_unknown",
    "event_get_zero",
    "event_slug_update_unknown",
    "event_update_id_0",
    "auth_author_delete_other",
    "category_create_contributor",
    "category_delete_contributor",
    "tag_delete_contributor",
  ])("%s", async (name) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error("not recorded");
    const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar", tecVersion: "6.17.2" });
    const path = replacements.reduce((text, [theirs, ours]) => text.replace(theirs, ours), row.path);
    const { status, text } = await sendRequest(`${sandbox.siteUrl}${path}`, requestOptionsOf(sandbox, row));
    expect({ status, body: JSON.parse(text) }).toEqual(readRecordedResponse(name, "-6.17.2"));
  });
});

/** Keys of a record, in order, and the type of each value. */
function shape(record: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(record)).map(([key, value]) => [key, Array.isArray(value) ? "array" : typeof value]));
}

describe("shapes", () => {
  const cases: readonly (readonly [name: string, path: string, steps: readonly (string | number)[]])[] = [
    ["event_get_two_organizers", "events/107", []],
    ["event_get_two_organizers", "events/107", ["start_date_details"]],
    ["event_get_two_organizers", "events/107", ["cost_details"]],
    ["event_get_two_organizers", "events/107", ["categories", 0]],
    ["events_list_per_page_3_page_2", "events?per_page=3&page=2", []],
    ["venues_p2", "venues?per_page=3&page=2", []],
    ["organizers_list", "organizers", []],
    ["category_get_child", "categories/4", []],
    ["categories_p2", "categories?per_page=3&page=2", []],
    ["tags_list", "tags", ["tags", 0]],
    ["event_get_two_organizers", "events/107", ["organizer", 0]],
    ["event_slug_update_unknown", "events/by-slug/no-such", ["errors"]],
  ];

  test.each(cases)("%s is like %s %s", async (name, path, steps) => {
    const sandbox = await startTestSandbox({ serverProfile: "the-events-calendar" });
    const method = name.includes("update") ? { json: { title: "x" } } : {};
    const { body } = await fetchApiJson(sandbox, path, { headers: createBasicHeader(sandbox, "admin"), ...method });
    const [ours, theirs] = [getValueAt(body, ...steps), getValueAt(readRecordedResponse(name).body, ...steps)];
    expect(shape(ours)).toEqual(shape(theirs));
    expect(Object.keys(Object(ours)).filter((key) => Object.hasOwn(Object(theirs), key))).toEqual(Object.keys(Object(theirs)));
  });
});
