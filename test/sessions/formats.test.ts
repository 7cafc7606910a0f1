// Every command in every format, each on a calendar of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { afterAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { commandTree } from "../../src/cli/command-tree.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { type CommandResult, createSession, expectExitCode, fixedNow, noPrompt, type Session } from "../helpers/session.ts";

const { commands } = commandTree;

const formats = ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "count"] as const;
type Format = (typeof formats)[number];

/** What a command prints: rows, days of events, findings of checks, one record, any value, a text whatever the format, or nothing at all. */
type Kind = "list" | "days" | "findings" | "record" | "value" | "text" | "nothing";

interface Row {
  readonly kind: Kind;
  readonly line: string;
  readonly stdin?: string;
  /** On a site that has a trash. */
  readonly onWordPress?: boolean;
  /** 0 if absent. */
  readonly exitCode?: number;
  /** How many items a list has, where a second call does not find what the first one found. */
  readonly items?: number;
}

const dates = "--start-date '2027-02-01 20:00' --duration 2h";

/**
 * How each command is called, in an order in which each finds what it needs. `URL` is the site's address, `PLAN` a plan for it, `OPERATION` the
 * newest in the log.
 */
const rows: Readonly<Record<string, Row>> = {
  "auth login": { kind: "value", line: "--method password --username admin --password-stdin --insecure-storage", stdin: "admin-demo" },
  "auth status": { kind: "list", line: "" },
  "auth token": { kind: "value", line: "" },
  "auth refresh": { kind: "value", line: "" },
  "events list": { kind: "list", line: "--start-date 2027-01-01 --end-date 2027-02-01 --all" },
  "events get": { kind: "record", line: "jazz-night" },
  "events create": { kind: "record", line: `--title 'A & B' ${dates}` },
  "events update": { kind: "record", line: "101 --title Renamed" },
  "events edit": { kind: "record", line: "103 --yes" },
  "events clone": { kind: "record", line: "103 --start-date '2027-02-08 20:00'" },
  "events approve": { kind: "record", line: "104 --yes" },
  "events conflicts": { kind: "list", line: "--on 2027-01-16", exitCode: 9 },
  "events repeat": { kind: "list", line: "120 --every '2 days' --at 06:00 --count 2 --yes", items: 2 },
  "series list": { kind: "list", line: "" },
  "series show": { kind: "list", line: "town-meeting" },
  "series update": { kind: "list", line: "town-meeting --excerpt New --yes", items: 3 },
  "series shift": { kind: "list", line: "town-meeting +1d --yes", items: 3 },
  "series adopt": { kind: "list", line: "104 105" },
  "series delete": { kind: "list", line: "town-meeting --yes", items: 3 },
  "events import": {
    kind: "list",
    line: "- --input-format csv --yes",
    stdin:
      "title,start_date,end_date,venue\nFirst,2027-06-01 20:00,2027-06-01 22:00,Town Hall\nSecond,2027-06-02 20:00,2027-06-02 22:00,\n",
    items: 2,
  },
  "events open": { kind: "value", line: "103" },
  "events delete": { kind: "record", line: "101 --yes" },
  "events restore": { kind: "record", line: "101", onWordPress: true },
  "venues list": { kind: "list", line: "" },
  "venues get": { kind: "record", line: "21" },
  "venues create": { kind: "record", line: "--venue 'New Hall' --city Paris" },
  "venues update": { kind: "record", line: "town-hall --phone 1" },
  "venues edit": { kind: "record", line: "town-hall --yes" },
  "venues clone": { kind: "record", line: "town-hall --venue 'Town Hall Annex'" },
  "venues import": {
    kind: "list",
    line: "- --input-format csv --yes",
    stdin: "venue,city\nFirst Hall,Paris\nSecond Hall,Rome\n",
    items: 2,
  },
  "venues open": { kind: "value", line: "town-hall" },
  "venues delete": { kind: "record", line: "28 --yes" },
  "venues restore": { kind: "record", line: "28", onWordPress: true },
  "venues duplicates": { kind: "list", line: "", exitCode: 9 },
  "venues merge": { kind: "list", line: "to-merge --into town-hall --yes", items: 1 },
  "organizers duplicates": { kind: "list", line: "", exitCode: 9 },
  "organizers merge": { kind: "list", line: "to-merge --into jane-doe --yes", items: 1 },
  "organizers list": { kind: "list", line: "--search jane" },
  "organizers get": { kind: "record", line: "jane-doe" },
  "organizers create": { kind: "record", line: "--organizer 'New One'" },
  "organizers update": { kind: "record", line: "31 --email x@example.org" },
  "organizers edit": { kind: "record", line: "31 --yes" },
  "organizers clone": { kind: "record", line: "31 --organizer 'Jane Doe Jr'" },
  "organizers import": {
    kind: "list",
    line: "- --input-format csv --yes",
    stdin: "organizer,email\nFirst Group,a@example.org\nSecond Group,\n",
    items: 2,
  },
  "organizers open": { kind: "value", line: "31" },
  "organizers delete": { kind: "record", line: "36 --yes" },
  "organizers restore": { kind: "record", line: "36", onWordPress: true },
  "categories list": { kind: "list", line: "--include-empty" },
  "categories get": { kind: "record", line: "slug:jazz" },
  "categories create": { kind: "record", line: "--name Folk --parent music" },
  "categories update": { kind: "record", line: "5 --description D" },
  "categories edit": { kind: "record", line: "5 --yes" },
  "categories clone": { kind: "record", line: "5 --name Further" },
  "categories import": {
    kind: "list",
    line: "- --input-format csv --yes",
    stdin: "name,parent\nFirst Kind,music\nSecond Kind,\n",
    items: 2,
  },
  "categories open": { kind: "value", line: "5" },
  "categories delete": { kind: "record", line: "10 --yes" },
  "tags list": { kind: "list", line: "--include-empty" },
  "tags get": { kind: "record", line: "12" },
  "tags create": { kind: "record", line: "--name new" },
  "tags update": { kind: "record", line: "13 --name out" },
  "tags edit": { kind: "record", line: "14 --yes" },
  "tags clone": { kind: "record", line: "14 --name further" },
  "tags import": { kind: "list", line: "- --input-format csv --yes", stdin: "name\nfirst\nsecond\n", items: 2 },
  "tags open": { kind: "value", line: "14" },
  "tags delete": { kind: "record", line: "17 --yes" },
  apply: { kind: "list", line: "PLAN --yes" },
  pull: { kind: "list", line: "FOLDER/pulled --resources tags --dry-run" },
  diff: { kind: "list", line: "FOLDER/edited", exitCode: 9 },
  validate: { kind: "list", line: "FOLDER/checked" },
  log: { kind: "list", line: "" },
  undo: { kind: "list", line: "OPERATION --yes" },
  root: { kind: "value", line: "" },
  doctor: { kind: "findings", line: "--sandbox" },
  doc: { kind: "value", line: "" },
  api: { kind: "value", line: "GET events/100" },
  "sandbox serve": { kind: "nothing", line: "" },
  "sandbox reset": { kind: "nothing", line: "--yes" },
  init: { kind: "record", line: "URL" },
  month: { kind: "days", line: "2027-01" },
  week: { kind: "days", line: "" },
  agenda: { kind: "days", line: "" },
  date: { kind: "record", line: "2027-01-15" },
  help: { kind: "text", line: "formats" },
  mcp: { kind: "nothing", line: "" },
  completion: { kind: "text", line: "bash" },
  schema: { kind: "value", line: "tags get" },
  "config get": { kind: "value", line: "per_page" },
  "config set": { kind: "record", line: "per_page 20" },
  "config unset": { kind: "record", line: "per_page" },
  "config list": { kind: "list", line: "--show-origin" },
  "config path": { kind: "value", line: "" },
  "profile add": { kind: "record", line: "spare --base-url https://api.example.com" },
  "profile list": { kind: "list", line: "" },
  "profile use": { kind: "record", line: "spare" },
  "profile show": { kind: "record", line: "spare" },
  "profile remove": { kind: "record", line: "spare --yes" },
  "events copy": { kind: "list", line: "copied --to live --yes", items: 1 },
  "venues copy": { kind: "list", line: "copied --to live --yes", items: 1 },
  "organizers copy": { kind: "list", line: "copied --to live --yes", items: 1 },
  "categories copy": { kind: "list", line: "slug:copied --to live --yes", items: 1 },
  "tags copy": { kind: "list", line: "slug:copied --to live --yes", items: 1 },
  "auth logout": { kind: "value", line: "" },
};

/** Commands that print nothing with an id in it. */
const withoutIds =
  /^(?:auth (?:login|logout|refresh|status|token)|config (?:list|set|unset)|profile .*|events conflicts|series list|init|date|doctor|root|doc|schema|log|validate)$/;

/** What these commands need is not left by the ones above. */
const preparations: Readonly<Record<string, string>> = {
  "events approve": "events update 104 --status pending --yes",
  "events conflicts": "events create --title Overlap --venue 21 --start-date '2027-01-16 22:00' --duration 2h",
  "events copy": `profile add live --base-url TARGET && events create --title Copied ${dates}`,
  "venues copy": "venues create --venue Copied",
  "organizers copy": "organizers create --organizer Copied",
  "categories copy": "categories create --name Copied",
  "tags copy": "tags create --name Copied",
  "venues duplicates": "venues create --venue 'Town-Hall!' --city Albany",
  "venues merge": "venues create --venue 'To merge'",
  "organizers duplicates": "organizers create --organizer 'City-Orchestra'",
  "organizers merge": "organizers create --organizer 'To merge'",
  apply: "events update 104 --title Planned --plan-out PLAN",
  "events restore": "events delete 101 --yes",
  "venues restore": "venues delete 28 --yes",
  "organizers restore": "organizers delete 36 --yes",
};

interface Variant {
  readonly name: string;
  readonly format: Format;
  readonly flags: string;
  readonly columns?: number;
}

const variants: readonly Variant[] = [
  ...formats.map((format): Variant => ({ name: `--format ${format}`, format, flags: `--format ${format}` })),
  { name: "--json", format: "json", flags: "--json" },
  { name: "a pipe by default", format: "tsv", flags: "" },
  { name: "a terminal by default", format: "table", flags: "--color never", columns: 100 },
];

interface User {
  readonly cal: Session;
  readonly siteUrl: string;
  /** REST root of another site. */
  readonly targetUrl: string;
  /** The administrator of a WordPress site of its own. */
  readonly wordpress: Session;
}

/** A folder that differs from the site, and one with a warning. */
function writeRecordFiles(folder: string): void {
  const event = "start_date: 2027-02-01 20:00\nend_date: 2027-02-01 22:00\nvenue: town-hall\n";
  for (const path of ["edited/venues", "checked/events"]) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, "edited/venues/town-hall.yaml"), "venue: Town Hall\nphone: +1 555 0100\n");
  for (const title of ["one", "two"]) writeFileSync(join(folder, `checked/events/${title}.yaml`), `title: ${title}\n${event}`);
}

/** A user of a calendar of its own; who edits has a terminal for the editor, and changes nothing. */
async function userOf({ columns }: Partial<Variant>): Promise<User> {
  const options = { file: ":memory:", day: fixedNow.slice(0, 10), now: () => Date.parse(fixedNow) };
  const sandbox = await startSandbox(options);
  afterAll(() => sandbox.close());
  const wordpressSandbox = await startSandbox({ ...options, serverProfile: "the-events-calendar" });
  afterAll(() => wordpressSandbox.close());
  const target = await startSandbox(options);
  afterAll(() => target.close());
  const site = { CAL_SANDBOX: "0", CAL_BASE_URL: sandbox.baseUrl, CAL_AUTH_URL: sandbox.authUrl, CAL_TO_TOKEN: target.token };
  const { clientId, clientSecret } = sandbox.application;
  const env = { ...site, CAL_CLIENT_ID: clientId, CAL_CLIENT_SECRET: clientSecret, CAL_TZ: "America/New_York", CAL_PER_PAGE: "50" };
  const screen = columns === undefined ? {} : { columns };
  const cal = createSession({ env, ...screen });
  writeRecordFiles(cal.folder);
  const folders = { CAL_CONFIG_DIR: `${cal.folder}/config`, CAL_STATE_DIR: `${cal.folder}/state`, CAL_CACHE_DIR: `${cal.folder}/cache` };
  const editing = createSession({ env: { ...env, ...folders }, ...screen, prompt: noPrompt, edit: async () => 0 });
  const entered = (line: string, stdin?: string) => (/^\w+ edit\b/.test(line) ? editing : cal)(line, stdin);
  const { username = "", applicationPassword = "" } = wordpressSandbox.users.find((user) => user.username === "admin") ?? {};
  const wordpressSite = { CAL_BASE_URL: wordpressSandbox.baseUrl, CAL_NAMESPACE: wordpressSandbox.namespace };
  const wordpressLogin = { CAL_USERNAME: username, CAL_PASSWORD: applicationPassword };
  const wordpress = createSession({
    env: { CAL_SANDBOX: "0", CAL_TZ: "America/New_York", ...wordpressSite, ...wordpressLogin },
    ...screen,
  });
  return {
    cal: Object.assign(entered, { runArgs: cal.runArgs, runStreams: cal.runStreams, folder: cal.folder }),
    siteUrl: sandbox.siteUrl,
    targetUrl: target.baseUrl,
    wordpress,
  };
}

/** On a terminal these say on stderr what changed, and show no record. */
const reportedOnly = /^(?!series )\w+ (?:update|edit|approve)$/;

/** The data of one output: as many items as it says there are, or what it is otherwise. */
function itemsIn(format: Format, kind: Kind, stdout: string): number {
  const lines = stdout.split("\n").slice(0, -1);
  expect(stdout).toMatch(/\n$/);
  switch (format) {
    case "json":
      return itemsOf(JSON.parse(stdout), kind);
    case "yaml":
      return itemsOf(parseYaml(stdout), kind);
    case "ndjson":
      return lines.map((line) => itemsOf(JSON.parse(line), "record")).length;
    case "csv":
      return parseCsv(stdout, { columns: true }).length;
    case "tsv":
    case "table":
      expect(new Set(lines.map((line) => format === "table" || line.split("\t").length))).toHaveProperty("size", 1);
      return kind === "record" && format === "table" ? 1 : lines.length - 1;
    case "ids":
      expect(stdout).toMatch(/^(?:\d+\n)*$/);
      return lines.length;
    case "count":
      expect(stdout).toMatch(/^\d+\n$/);
      return Number(stdout);
  }
}

function itemsOf(value: unknown, kind: Kind): number {
  if (kind === "list") {
    expect(value).toBeInstanceOf(Array);
    return Array.isArray(value) ? value.length : 0;
  }
  expect(value).toEqual(expect.objectContaining({}));
  return 1;
}

/** Nothing of what is meant for stdout, and no control characters. */
function expectNoData({ stdout, stderr }: CommandResult): void {
  const reported = new Set(stderr.split("\n"));
  for (const line of stdout.split("\n")) expect(line.length > 3 && reported.has(line)).toBe(false);
  expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
}

const users = await Promise.all(variants.map(async (variant) => ({ ...variant, ...(await userOf(variant)) })));
const usersForRefs = await Promise.all(formats.map(async (format) => ({ format, ...(await userOf({})) })));

test("there is a row for every command, and none for others", () => {
  expect(Object.keys(rows).sort()).toEqual(commands.map(({ path }) => path.join(" ")).sort());
});

describe.each(users)("$name", ({ format, flags, columns, cal: ownCal, siteUrl, targetUrl, wordpress }) => {
  test.each(Object.entries(rows).map(([path, row]) => ({ path, ...row })))(
    "$path",
    async ({ path, kind, line: row, stdin, onWordPress, exitCode = 0, items }) => {
      const cal = onWordPress === true ? wordpress : ownCal;
      const operation = row.includes("OPERATION") ? (await cal("log --limit 1 --quiet --field operation")).stdout.trim() : "";
      const fill = (text: string) =>
        text
          .replace("URL", siteUrl)
          .replace("TARGET", targetUrl)
          .replace("PLAN", `${cal.folder}/plan.json`)
          .replace("FOLDER", cal.folder)
          .replace("OPERATION", operation);
      const line = fill(row);
      const preparation = preparations[path];
      for (const before of preparation?.split(" && ") ?? []) await expectExitCode(cal(fill(before)), 0);
      const outcome = await cal(`${path} ${line} ${flags}`, stdin);
      const idless = format === "ids" && withoutIds.test(path);
      expect(outcome.code, `${outcome.stdout}\n${outcome.stderr}`).toBe(idless ? 2 : exitCode);
      expectNoData(outcome);
      if (idless) expect(outcome.stdout).toBe("");
      // The commands below need what it would have done.
      if (idless) expect((await cal(`${path} ${line}`, stdin)).code).toBe(exitCode);
      else if (kind === "text") expect(outcome.stdout).toMatch(/\S\n$/);
      else if (columns !== undefined && reportedOnly.test(path)) expect(outcome.stdout).toBe("");
      else if (path === "diff" && format === "table")
        expect(outcome.stdout).toMatch(/^venues\/town-hall\.yaml .*\n(?:.*\n)*\+phone: .*\n$/);
      else if (kind === "nothing") expect(outcome.stdout).toBe("");
      else if (kind === "days") expectDays(format, outcome.stdout);
      else if (kind === "findings") expectFindings(format, outcome.stdout);
      else if (kind === "value") expectValue(format, outcome.stdout);
      else
        expect(itemsIn(format, kind, outcome.stdout)).toBe(
          kind === "record" ? 1 : (items ?? (await expectedItems(cal, path, line, flags))),
        );
      if (columns !== undefined && (kind === "list" || kind === "record"))
        for (const shown of outcome.stdout.split("\n")) expect([...shown].length).toBeLessThanOrEqual(columns);
    },
  );
});

/** A row a day, but for `ids` and `count`, which are those of the events, and the drawing of a table. */
function expectDays(format: Format, stdout: string): void {
  if (format === "ids" || format === "count") expect(stdout).toMatch(/^(?:\d+\n)+$/);
  else if (format === "table") expect(stdout).toMatch(/15\b/);
  else expect(itemsIn(format, "list", stdout)).toBeGreaterThan(1);
}

/** A row a check, none of which has an id; a table is paragraphs with a count below. */
function expectFindings(format: Format, stdout: string): void {
  if (format === "table") expect(stdout).toMatch(/\n\n10 ok, 1 warning, 1 skipped\n$/);
  else expect(itemsIn(format, "list", stdout)).toBe(12);
}

/** What has no rows is JSON, YAML or a text of its own; `ids` and `count` may have nothing to say of it. */
function expectValue(format: Format, stdout: string): void {
  if (format === "json" || format === "ndjson") expect(JSON.parse(stdout)).toBeDefined();
  else if (format === "yaml") expect(parseYaml(stdout)).toBeDefined();
  else if (format === "count") expect(stdout).toBe("1\n");
  else if (format !== "ids") expect(stdout).not.toBe("");
}

/** As many items as JSON shows; a format that is entered is itself a setting. */
async function expectedItems(cal: Session, path: string, line: string, flags: string): Promise<number> {
  const { stdout } = await cal(`${path} ${line} --json`);
  const items: unknown = JSON.parse(stdout);
  expect(items).not.toEqual([]);
  const isSetting = path === "config list" && !flags.includes("--format") && flags !== "--json";
  return Array.isArray(items) ? items.length - (isSetting ? 1 : 0) : -1;
}

describe("several refs", () => {
  /** How many lines or items each format has for three refs, of which the last is not there. */
  const expected: Readonly<Record<Format, number>> = { table: 4, json: 3, ndjson: 3, csv: 4, tsv: 4, yaml: 3, ids: 2, count: 1 };

  test.each(usersForRefs)("--format $format", async ({ format, cal }) => {
    await cal("auth login --method password --username admin --password-stdin --insecure-storage", "admin-demo");
    for (const line of ["events get 100 jazz-night 999", "venues update 21 22 999 --phone 5", "tags delete 12 13 999 --yes"]) {
      const { stdout, stderr, code } = await cal(`${line} --format ${format}`);
      expect({ format, code }, stderr).toEqual({ format, code: 8 });
      const items: unknown =
        format === "json" ? JSON.parse(stdout) : format === "yaml" ? parseYaml(stdout) : stdout.split("\n").slice(0, -1);
      expect(items).toHaveLength(expected[format]);
      if (format === "count") expect(stdout).toBe("2\n");
      if (format === "json" || format === "yaml") {
        const good = { ok: true, record: expect.objectContaining({ id: expect.any(Number) }) };
        const bad = { ref: "999", ok: false, error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }) };
        expect(items).toEqual([expect.objectContaining(good), expect.objectContaining(good), bad]);
      }
    }
  });
});
