// Every recorded answer through the client: what is a success, and which exit code each error has, by hand.

import { existsSync, readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { createClient } from "../../src/api/client.ts";
import type { ApiRequest } from "../../src/api/request.ts";
import { createStaticAuthHeaderProvider } from "../../src/auth/credentials.ts";
import { CalError, formatHints } from "../../src/errors.ts";
import type { HttpResponse } from "../../src/http/transport.ts";

interface Recorded {
  readonly name: string;
  readonly status: string;
  readonly method: string;
  readonly path: string;
  /** The user of the request; empty for a visitor. */
  readonly auth: string;
  readonly request_body: string;
}

const rows: readonly Recorded[] = parse(readFileSync(new URL("../recorded/index.csv", import.meta.url)), {
  columns: true,
  relax_quotes: true,
});
const getTokens = ({ auth }: Recorded) =>
  createStaticAuthHeaderProvider(
    auth === "" ? undefined : { header: "authorization", value: `Basic ${btoa(`${auth}:x`)}`, source: "keychain" },
  );

/** A recorded answer; undefined where it was not kept. */
function answer(folder: string, name: string): HttpResponse | undefined {
  const file = new URL(`../${folder}/${name}.http`, import.meta.url);
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "latin1");
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index).split(/\r?\n/);
  const headers = head
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const);
  const body = text.slice((end?.index ?? 0) + (end?.[0].length ?? 0));
  return { status: Number(head[0]?.split(" ")[1]), headers: Object.fromEntries(headers), body: Buffer.from(body, "latin1") };
}

function requestOf({ method, path, request_body }: Recorded): ApiRequest {
  const url = new URL(path.startsWith("/") ? path : `/${path}`, "http://x");
  const route = url.searchParams.get("rest_route") ?? url.pathname.replace(/^\/+(index\.php\/)?wp-json/, "");
  const query = [...url.searchParams].filter(([name]) => name !== "rest_route");
  const known = { method: method as ApiRequest["method"], path: route, query };
  try {
    return { ...known, body: JSON.parse(request_body) as unknown };
  } catch {
    return known;
  }
}

async function outcome(folder: string, row: Recorded): Promise<CalError | "success"> {
  const recorded = answer(folder, row.name);
  if (recorded === undefined) throw new Error(`${row.name} was not kept`);
  // The index of the site, which is asked where there is no route.
  const index = { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ namespaces: ["oembed/1.0", "tribe/events/v1"] })) };
  const client = createClient({
    baseUrl: "http://site.example/wp-json",
    tokens: getTokens(row),
    userAgent: "test",
    loginHint: () => "cal auth login",
    transport: async ({ url }) => (url === "http://site.example/wp-json/" ? index : recorded),
  });
  try {
    await client.send(requestOf(row));
    return "success";
  } catch (error) {
    if (error instanceof CalError) return error;
    throw error;
  }
}

/** By hand, by the recorded name. What is neither here nor below ends with 6: the server rejected the data. */
const codes: Readonly<Record<string, number>> = {
  // The record of the path is not there.
  event_get_unknown: 3,
  event_get_zero: 3,
  event_get_venue_id: 3,
  event_update_id_0: 3,
  event_slug_get_unknown: 3,
  event_slug_get_unicode_double: 3,
  event_slug_get_numeric_id: 3,
  event_slug_get_slash_pct: 3,
  event_slug_delete_again: 3,
  event_slug_delete_unknown: 3,
  event_slug_update_unknown: 3,
  venue_slug_unknown: 3,
  organizer_slug_unknown: 3,
  organizer_slug_update_unknown: 3,
  venue_get_unknown: 3,
  venue_update_unknown: 3,
  venue_delete_unknown: 3,
  venue_get_event_id: 3,
  organizer_get_unknown: 3,
  organizer_delete_unknown: 3,
  organizer_update_unknown: 3,
  category_get_unknown: 3,
  category_update_unknown: 3,
  category_delete_unknown: 3,
  tag_get_unknown: 3,
  tag_get_zero: 3,
  tag_get_other_tax: 3,
  tag_update_unknown: 3,
  tag_delete_unknown: 3,
  tag_delete_second: 3,
  category_delete_second: 3,
  http_error_cache: 3,
  // An error with the status of a success: no such slug.
  event_slug_update_new_slug_in_body: 3,
  // Pages past the end, as the client sees them; a list takes them for its end.
  events_list_page_beyond_end: 3,
  events_no_results_page2: 3,
  venues_beyond: 3,
  organizers_beyond: 3,
  server_500_bad_categories: 7,
  // A filter by a record that does not exist.
  events_cat_unknown: 3,
  events_venue_unknown: 3,
  venues_event_unknown: 3,
  categories_parent_unknown: 3,
  categories_event_unknown: 3,
  tags_event_unknown: 3,
  events_list_page_abc: 6,
  events_list_per_page_abc: 6,
  events_status_draft_public: 6,
  event_delete_second: 3,
  venue_delete_second: 3,
  organizer_delete_second: 3,
};

/** By what the recorded name says. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [
    /unauth$|^auth_(none_(create|update)$|wrong|unknown|login|malformed|basic_nocolon|empty_pw)|_create_unauth$|^events_method_override_param$/,
    4,
  ],
  // A visitor who may not read a draft or an event with a password.
  [/_(?:draft|trashed)_public$|password_(?:none|wrong)$/, 4],
  [/subscriber|_public$|password_admin$/, 5],
  [
    /_abc$|_slash$|(put|delete)_collection$|^(category|tag)_get_(slug|by_slug_route)$|^root_(ns_unknown|tec_v1|wpjson_wrongpath)|double_slash2/,
    10,
  ],
];

function expected({ name }: Recorded): number {
  return codes[name] ?? kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 6;
}

describe("recorded answers", () => {
  // The program sends no HEAD and no OPTIONS.
  const stored = rows.filter(({ name, method }) => answer("recorded", name) !== undefined && method !== "HEAD" && method !== "OPTIONS");
  const failed = stored.filter(({ status }) => Number(status) >= 400);

  test("are enough to mean something", () => {
    expect([stored.length > 500, failed.length > 180]).toEqual([true, true]);
  });

  test.each(failed)("$name ($status)", async (row) => {
    const error = await outcome("recorded", row);
    expect(error === "success" ? 0 : error.exitCode, error === "success" ? "" : error.message).toBe(expected(row));
  });

  /** Statuses of success that are none: web pages, text before the JSON, and errors in the body. */
  const deceptive = /^(debug_display_create_no_accept$|event_slug_update_(unknown|new_slug_in_body)$)/;

  test.each(stored.filter(({ status }) => Number(status) < 300))("$name ($status)", async (row) => {
    const html = !/^[[{"]/.test(
      Buffer.from(answer("recorded", row.name)?.body ?? [])
        .toString("utf8")
        .trimStart(),
    );
    const error = await outcome("recorded", row);
    const code = error === "success" ? 0 : error.exitCode;
    expect(code).toBe(html ? 7 : deceptive.test(row.name) ? 3 : 0);
  });
});

/** By hand: what the newer version answers otherwise. */
const newer: Readonly<Record<string, number>> = {
  auth_author_delete_other: 5,
  auth_contributor_delete_other: 5,
  auth_contributor_update_other: 5,
  category_create_contributor: 5,
  category_delete_contributor: 5,
  event_get_trashed_admin: 3,
  event_get_unknown: 3,
  event_get_zero: 3,
  event_slug_update_new_slug_in_body: 3,
  event_slug_update_unknown: 3,
  event_update_id_0: 3,
  root_tec_v1: 6,
  tag_delete_contributor: 5,
};

describe("recorded answers of the newer version", () => {
  test("are all here", () => {
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => answer("recorded-6.17.2", name) !== undefined)
        .sort(),
    ).toEqual(Object.keys(newer).sort());
  });

  test.each(rows.filter(({ name }) => Object.hasOwn(newer, name)))("$name", async (row) => {
    const error = await outcome("recorded-6.17.2", row);
    expect(error === "success" ? 0 : error.exitCode).toBe(newer[row.name]);
  });
});

describe("what is said", () => {
  async function said(requested: string): Promise<CalError> {
    const [folder, name] = requested.startsWith("6.17.2/") ? ["recorded-6.17.2", requested.slice(7)] : ["recorded", requested];
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`${name} is not recorded`);
    const error = await outcome(folder, row);
    if (error === "success") throw new Error(`${name} is a success`);
    return error;
  }

  const cases: readonly (readonly [name: string, message: string | RegExp, hint: string | RegExp])[] = [
    ["auth_unknown_user_create", "Error: Unknown username. Check again or try your email address.", /cal auth login/],
    ["events_list_bad_two_params", "Invalid parameter(s): page, per_page, start_date", /.*/],
    ["event_create_allday_string", /all_day: all_day is not of type boolean\./, /.*/],
    [
      "server_500_bad_categories",
      "There has been a critical error on this website. Learn more about troubleshooting WordPress; the outcome is unknown: it may have been done",
      "look before you repeat it, so that nothing is created twice: cal events list --search x --all-dates",
    ],
    ["6.17.2/event_get_trashed_admin", /^in the trash: /, /cal events list --status trash/],
    ["event_delete_second", "in the trash: The event is already trashed", /cal events list --status trash/],
    [
      "root_ns_unknown",
      /No route was found.*; the site has: oembed\/1\.0, tribe\/events\/v1$/,
      "choose the calendar's namespace: --namespace tribe/events/v1, or: cal config set namespace tribe/events/v1",
    ],
    ["root_wpjson_wrongpath", /no calendar interface at this address/, /cal init/],
    ["event_slug_update_unknown", /.+/, "see what is there: cal events list"],
    ["too_big_body", /refuses so much data/, /.*/],
  ];

  test.each(cases)("%s", async (name, message, hint) => {
    const error = await said(name);
    expect(error.message).toMatch(message);
    expect(formatHints(error.details.hint)).toMatch(hint);
    expect(error.message).not.toMatch(/<\w|&\w+;|&#/);
  });

  test.each(["event_update_id_in_body", "venue_slug_update_slug_in_body", "category_create_parent_bad"])(
    "%s is bad data, not a record that is missing",
    async (name) => {
      expect((await said(name)).kind).toBe("rejected");
    },
  );
});
