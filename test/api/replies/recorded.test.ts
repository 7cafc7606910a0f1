// All recorded answers of a real server, through the client and through every output format.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { afterEach, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { createSession } from "../../helpers/session.ts";
import { parseJson, type Recording, recordings, startReplayServer } from "./recordings.ts";

const urlOf = await startReplayServer();
const env = { CAL_SANDBOX: "0", CAL_TOKEN: "t0k3n", CAL_NAMESPACE: "tribe/events/v1", CAL_RETRIES: "0", CAL_TZ: "America/New_York" };
const pipe = createSession({ env });
const terminal = createSession({ env: { ...env, NO_COLOR: "1" }, columns: 100 });

// Thousands of journals of the same second would be read again with each write.
afterEach(() => {
  for (const { folder } of [pipe, terminal]) rmSync(join(folder, "state"), { recursive: true, force: true });
});

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Routes that are recorded under more than one address. */
const route =
  /(?:\/wp-json|rest_route=)\/tribe\/events\/v1\/(events|venues|organizers|categories|tags)(?:\/(\d+|by-slug\/[^/?&]+))?\/?(?:[?&]|$)/;

/** What a create needs, whatever is recorded to have been sent. */
const creates: Readonly<Record<string, readonly string[]>> = {
  events: ["--title", "X", "--start-date", "2027-01-10 10:00", "--end-date", "2027-01-10 11:00"],
  venues: ["--venue", "X"],
  organizers: ["--organizer", "X"],
  categories: ["--name", "X"],
  tags: ["--name", "X"],
};

interface RecordCommand {
  readonly resource: string;
  readonly verb: "list" | "get" | "create" | "update" | "delete";
  readonly argv: readonly string[];
}

/** The command whose answer the recording is; undefined where it is no answer about records. */
function commandOf({ method, path }: Recording): RecordCommand | undefined {
  const [, resource = "", ref] = route.exec(path) ?? [];
  if (resource === "") return undefined;
  if (ref === undefined) {
    // One page is there; a server that gave it again and again would not give the whole list.
    if (method === "GET") return { resource, verb: "list", argv: [resource, "list", "--page", "1"] };
    return method === "POST"
      ? { resource, verb: "create", argv: [resource, "create", "--merge", ...(creates[resource] ?? [])] }
      : undefined;
  }
  const input = ref.replace("by-slug/", "slug:");
  if (method === "GET") return { resource, verb: "get", argv: [resource, "get", input] };
  if (method === "DELETE") return { resource, verb: "delete", argv: [resource, "delete", input, "--yes"] };
  return {
    resource,
    verb: "update",
    argv: [resource, "update", input, "--raw", "--method", method.toLowerCase(), "--set", `${nameOf(resource)}=X`],
  };
}

function nameOf(resource: string): string {
  return creates[resource]?.[0]?.slice(2) ?? "";
}

/** The request as it was recorded, for `cal api`: a path below the REST root, and a body where it was JSON. */
function apiArgs({ method, path, requestBody }: Recording): readonly string[] {
  const [whole = ""] = /\/(?:wp-json|index\.php|\?rest_route).*/.exec(path) ?? [];
  const plain = /rest_route=([^&]*)&?(.*)/.exec(whole);
  const relative = plain === null ? whole.replace("/wp-json", "") : `${decodeURIComponent(plain[1] ?? "")}?${plain[2]}`;
  const known = ["GET", "POST", "PUT", "PATCH", "DELETE"].includes(method) ? method : "GET";
  const body = known !== "GET" && isObject(parseJson(requestBody)) ? ["--data", requestBody] : [];
  // What climbs out of the path is refused before it is sent, so the root is requested.
  return ["api", known, /\/\/|\.\.|^$/.test(relative) ? "/" : relative, ...body];
}

/** Whether a bad `id` or `slug` may have been the request's own rather than the path's. */
function carriesKey({ path, requestBody }: Recording): boolean {
  const body = parseJson(requestBody);
  return /[?&](?:id|slug)=/.test(path) || (isObject(body) && ("id" in body || "slug" in body));
}

/** Whether a list was asked for what is linked to records by their ids, of which one is not there. */
function isMissingLink({ method, path, status, json }: Recording): boolean {
  const { code, data } = isObject(json) ? json : {};
  if (method !== "GET" || status !== 400 || code !== "rest_invalid_param") return false;
  const names = Object.keys(isObject(data) && isObject(data["params"]) ? data["params"] : {});
  return (
    names.length > 0 && names.every((name) => linkFilter.test(name) && new RegExp(`[?&]${name}(?:\\[\\d*\\])?=[1-9]\\d*(?:&|$)`).test(path))
  );
}

const linkFilter = /^(?:event|venue|organizer|categories|tags|parent)$/;

/** The exit code by the table of the conventions and by what is known of such servers. */
function expectedCode({ status, json }: Recording, carries: boolean): number {
  if (json === undefined) return { 401: 4, 403: 5, 404: 10, 413: 6 }[status] ?? 7;
  const { code, data, errors } = isObject(json) ? json : {};
  if (status < 300) return isObject(errors) ? 3 : 0;
  if (code === "rest_no_route") return 10;
  if (status === 404 || status === 410 || code === "event-no-longer-available") return 3;
  if (status === 400 && code === "rest_invalid_param" && !carries) {
    const bad = Object.keys(isObject(data) && isObject(data["params"]) ? data["params"] : {});
    return bad.every((name) => name === "id" || name === "slug") ? 3 : 6;
  }
  return { 401: 4, 403: 5 }[status] ?? (status >= 500 ? 7 : 6);
}

/** Nothing on stdout, plain words on stderr, and in JSON one line of it. */
async function expectFailure(recording: Recording, argv: readonly string[], code: number): Promise<void> {
  const at = ["--base-url", urlOf(recording)];
  const [text, json] = await Promise.all([terminal.runArgs([...at, ...argv]), pipe.runArgs([...at, "--json", ...argv])]);
  expect({ code: text.code, stdout: text.stdout }, text.stderr).toEqual({ code, stdout: "" });
  expect(text.stderr).toMatch(/^cal: \S/m);
  expect(text.stderr).not.toMatch(control);
  // What is no JSON is quoted as it began; hints have placeholders in angle brackets.
  if (recording.json !== undefined)
    expect(text.stderr.replace(/^hint: .*(?:\n {2}.*)*$/m, "").replace(/^ {2}export \w+=<name>$/m, "")).not.toMatch(markup);
  expect({ code: json.code, stdout: json.stdout }, json.stderr).toEqual({ code, stdout: "" });
  expect(JSON.parse(json.stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    error: { code: expect.any(String), message: expect.any(String) },
  });
}

const control = /(?!\n)\p{Cc}/u;
const markup = /<\/?[a-z][^<>]*>|&(?:#\w+|[a-z]+);/i;
const formats = ["json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;

type Texts = Readonly<Record<(typeof formats)[number] | "terminal", string>>;

/** What a command prints in every format; each must end well, but for ids of what has none. */
async function inEveryFormat(recording: Recording, argv: readonly string[], withoutIds = false): Promise<Texts> {
  const at = ["--base-url", urlOf(recording)];
  const outcomes = await Promise.all([
    ...formats.map(async (format) => [format, await pipe.runArgs([...at, "--format", format, ...argv])] as const),
    terminal.runArgs([...at, ...argv]).then((outcome) => ["terminal", outcome] as const),
  ]);
  for (const [format, { code, stderr }] of outcomes)
    expect({ format, code }, stderr).toEqual({ format, code: format === "ids" && withoutIds ? 2 : 0 });
  const text = (name: string): string => outcomes.find(([format]) => format === name)?.[1].stdout ?? "";
  return {
    json: text("json"),
    ndjson: text("ndjson"),
    csv: text("csv"),
    tsv: text("tsv"),
    yaml: text("yaml"),
    ids: text("ids"),
    count: text("count"),
    terminal: text("terminal"),
  };
}

/** One object that is neither a record nor an envelope of a list. */
function holdsNoId({ json }: Recording): boolean {
  if (!isObject(json) || "id" in json) return false;
  const [list, ...more] = Object.values(json).filter((value) => typeof value === "object" && value !== null);
  return !(Array.isArray(list) && list.every(isObject) && more.length === 0);
}

/** The records that a recording holds for a command. */
function recordsOf({ resource, verb }: RecordCommand, { json }: Recording): readonly Json[] {
  const list = verb === "list" && isObject(json) ? json[resource] : json;
  return (Array.isArray(list) ? list : [list]).filter(isObject);
}

/** Every format says the same: the records as they came, as many of them, and for people words without markup. */
function expectRecords(texts: Texts, command: RecordCommand, records: readonly Json[]): void {
  const single = command.verb !== "list";
  const data = single ? records[0] : records;
  const name = nameOf(command.resource);
  expect(JSON.parse(texts.json)).toEqual(data);
  expect(texts.ndjson).toBe(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  expect(parseYaml(texts.yaml)).toEqual(data);
  expect(texts.ids).toBe(records.map(({ id }) => `${id}\n`).join(""));
  expect(texts.count).toBe(`${records.length}\n`);
  const csv = table(parseCsv(texts.csv));
  expect(csv.map((row) => [row["id"], row[name]])).toEqual(records.map((record) => [String(record["id"]), String(record[name])]));
  const tsv = table(
    texts.tsv
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split("\t")),
  );
  expect(tsv.map((row) => [row["id"], row[name]])).toEqual(records.map((record) => [String(record["id"]), plain(String(record[name]))]));
  for (const text of [texts.tsv.replaceAll("\t", " "), texts.csv.replaceAll("\r\n", "\n"), texts.terminal])
    expect(text).not.toMatch(control);
  expect(texts.terminal).not.toMatch(markup);
}

/** Lines of cells as objects under the first line; every line is as long as that. */
function table([head = [], ...lines]: readonly (readonly string[])[]): readonly Readonly<Record<string, string>>[] {
  expect(new Set(lines.map((line) => line.length))).toEqual(new Set(lines.length === 0 ? [] : [head.length]));
  return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ""])));
}

const letters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** A title of the recordings as plain text: without its scripts, tags and character references. */
function plain(text: string): string {
  return decoded(text.replace(/<script>.*?<\/script>/g, "").replace(/<\/?[a-z][^<>]*>/gi, "")).trim();
}

/** The character references that the recordings hold, read without the program's own decoder. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (all, number?: string, word?: string) =>
    number === undefined ? (letters[word ?? ""] ?? all) : String.fromCodePoint(Number(number)),
  );
}

test("there are recordings of every status and kind", () => {
  expect(recordings.length).toBe(568);
  expect(recordings.filter((one) => commandOf(one) !== undefined).length).toBeGreaterThan(520);
});

describe("through cal api", () => {
  test.each(recordings)("$name", async (recording) => {
    const argv = apiArgs(recording);
    const code = isMissingLink(recording) ? 3 : expectedCode(recording, carriesKey(recording));
    if (code !== 0) return expectFailure(recording, argv, code);
    const texts = await inEveryFormat(recording, argv, holdsNoId(recording));
    expect(JSON.parse(texts.json)).toEqual(recording.json);
    expect(JSON.parse(texts.terminal)).toEqual(recording.json);
    expect(parseYaml(texts.yaml)).toEqual(recording.json);
    expect(JSON.parse(texts.ndjson)).toEqual(recording.json);
    expect(texts.terminal).not.toMatch(control);
  });
});

/** `_envelope` wraps the answer in another, which no command asks for; a slash in a slug is refused before anything is sent. */
const special: Readonly<Record<string, number>> = { events_envelope: 7, event_slug_get_slash_pct: 2 };

describe("through the commands over records", () => {
  test.each(
    recordings.flatMap((recording) => {
      const command = commandOf(recording);
      return command === undefined ? [] : [{ recording, command, name: recording.name }];
    }),
  )("$name", async ({ recording, command }) => {
    const code = special[recording.name] ?? (isPastTheEnd(recording) && command.verb === "list" ? 0 : expectedCode(recording, false));
    if (code !== 0) return expectFailure(recording, command.argv, code);
    const texts = await inEveryFormat(recording, command.argv);
    expectRecords(texts, command, isPastTheEnd(recording) ? [] : recordsOf(command, recording));
  });
});

function isPastTheEnd({ json }: Recording): boolean {
  return isObject(json) && /archive-page-not-found$/.test(String(json["code"]));
}
