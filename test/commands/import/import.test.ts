// `cal <resource> import` against both kinds of server: what is written the first time, and what the second time.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { type CommandResult, expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "../records/sandbox.ts";
import { createServerSession } from "../records/server.ts";

const servers: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

const header =
  "Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Event Venue Name,Event Category,Event Cost,Event Description";
const alpha = "Alpha Night,2027-03-05,7:30 PM,2027-03-05,22:00,Town Hall,Jazz,12,Some <b>words</b>";
const beta = "Beta Fair,2027-03-06,10:00,2027-03-06,12:00,Blue Note Cellar,,,Other words";
const gamma = "Gamma Talk,2027-03-07,10:00,,12:00,,,,";

class Importer {
  readonly session: SandboxSession;

  constructor(session: SandboxSession) {
    this.session = session;
  }

  write(rows: readonly string[], name = "events.csv", head = header): string {
    const path = join(this.session.cal.folder, name);
    writeFileSync(path, [head, ...rows, ""].join("\r\n"));
    return path;
  }

  /** Imports these rows from the same file, and tells what became of them. */
  async run(rows: readonly string[], flags = "", code = 0): Promise<CommandResult & { readonly fates: readonly string[] }> {
    const path = this.write(rows);
    const result = await expectExitCode(this.session.cal(`events import ${path} --yes --json ${flags}`), code);
    const fates = result.stdout === "" ? [] : (JSON.parse(result.stdout) as readonly JsonRecord[]);
    return { ...result, fates: fates.map(({ op, status, ok }) => [op ?? "none", status ?? ok].join(" ")) };
  }

  async list(): Promise<readonly JsonRecord[]> {
    const { stdout } = await expectExitCode(this.session.cal("events list --all-dates --all --json"), 0);
    return JSON.parse(stdout) as readonly JsonRecord[];
  }

  async find(title: string): Promise<JsonRecord> {
    const found = (await this.list()).filter((record) => record["title"] === title);
    expect(found.length, title).toBe(1);
    return found[0] ?? {};
  }
}

const openImporter = async (server: ServerProfileName) => new Importer(await openSandboxSession(server));

describe.each(servers)("%s", (server) => {
  test("the first run creates, the second sends nothing, a changed cell sends one field", async () => {
    const importer = await openImporter(server);
    const before = await importer.list();
    expect((await importer.run([alpha, beta, gamma])).fates).toEqual(["create done", "create done", "create done"]);
    expect(await importer.find("Alpha Night")).toMatchObject({
      start_date: "2027-03-05 19:30:00",
      end_date: "2027-03-05 22:00:00",
      timezone: "America/New_York",
    });
    expect(await importer.find("Gamma Talk")).toMatchObject({ start_date: "2027-03-07 10:00:00", end_date: "2027-03-07 12:00:00" });
    const second = await importer.run([alpha, beta, gamma]);
    expect(second.fates).toEqual([]);
    expect(second.stderr).toContain("0 written, 3 unchanged");
    const third = await importer.run([alpha.replace("22:00", "23:00"), beta, gamma]);
    expect(third.fates).toEqual(["update done"]);
    expect(await importer.find("Alpha Night")).toMatchObject({ end_date: "2027-03-05 23:00:00" });
    expect((await importer.list()).length).toBe(before.length + 3);
    // The journal holds two operations: the runs that wrote.
    expect(JSON.parse((await importer.session.cal("log --json")).stdout)).toHaveLength(2);
  });

  test("what was edited on the site is kept, and what both have changed is a conflict until it is decided", async () => {
    const importer = await openImporter(server);
    const { cal } = importer.session;
    await importer.run([alpha, beta]);
    const { id } = await importer.find("Alpha Night");
    await expectExitCode(cal(`events update ${id} --cost 99 --description 'By hand'`), 0);
    const kept = await importer.run([alpha.replace("22:00", "23:00"), beta]);
    expect(kept.stderr).toMatch(/events\.csv:2: event \d+ "Alpha Night": kept as edited on the site: .*cost/);
    expect(await importer.find("Alpha Night")).toMatchObject({ end_date: "2027-03-05 23:00:00" });
    expect(String((await importer.find("Alpha Night"))["cost"])).toContain("99");
    const changed = alpha.replace("22:00", "23:00").replace(",12,", ",15,");
    const conflict = await importer.run([changed, beta], "", 8);
    expect(conflict.fates).toEqual(["none failed"]);
    expect(conflict.stderr).toMatch(/events\.csv:2: .*changed in the source and on the site: cost \(source "15", site/);
    expect(conflict.stderr.match(/^--on-conflict source writes the values of the source/gm)).toHaveLength(1);
    expect((await importer.run([changed, beta], "--on-conflict site")).fates).toEqual([]);
    expect((await importer.run([changed, beta])).fates).toEqual([]);
    expect(String((await importer.find("Alpha Night"))["cost"])).toContain("99");
    expect((await importer.run([changed.replace(",15,", ",20,"), beta], "--on-conflict source")).fates).toEqual(["update done"]);
    expect(String((await importer.find("Alpha Night"))["cost"])).toContain("20");
  });

  test("a lost ledger: the records are adopted, an edit is not overwritten, nothing is created twice", async () => {
    const importer = await openImporter(server);
    await importer.run([alpha, beta]);
    const { id } = await importer.find("Beta Fair");
    await expectExitCode(importer.session.cal(`events update ${id} --description 'By hand'`), 0);
    const lost = await importer.run([alpha, beta], "--source another-name", 8);
    expect(lost.fates).toEqual(["none failed"]);
    expect(lost.stderr).toMatch(/events\.csv:2: adopted event \d+ "Alpha Night"/);
    expect(lost.stderr).toMatch(/events\.csv:3: .*the site has other values: description/);
    await importer.find("Alpha Night");
    await importer.find("Beta Fair");
  });

  test("several records that match are a conflict with their ids", async () => {
    const importer = await openImporter(server);
    const create = "events create --title 'Delta' --start-date '2027-03-08 10:00' --end-date '2027-03-08 11:00' --field id --yes";
    const ids = [(await importer.session.cal(create)).stdout.trim(), (await importer.session.cal(create)).stdout.trim()];
    const { stderr } = await importer.run(["Delta,2027-03-08,10:00,,11:00,,,,"], "", 6);
    for (const id of ids) expect(stderr).toContain(id);
  });

  test("a row with a new start is moved, one with a new title renamed, and each keeps its id", async () => {
    const importer = await openImporter(server);
    await importer.run([alpha, beta]);
    const [first, second] = [await importer.find("Alpha Night"), await importer.find("Beta Fair")];
    const rows = [alpha.replaceAll("2027-03-05", "2027-03-12"), beta.replace("Beta Fair", "Beta Party")];
    const { stderr, fates } = await importer.run(rows);
    expect(fates).toEqual(["update done", "update done"]);
    expect(stderr).toContain("events.csv:2: moved: event");
    expect(stderr).toContain("events.csv:3: renamed: event");
    expect(await importer.find("Alpha Night")).toMatchObject({ id: first["id"], start_date: "2027-03-12 19:30:00" });
    expect(await importer.find("Beta Party")).toMatchObject({ id: second["id"] });
    expect((await importer.run(rows)).fates).toEqual([]);
  });

  test("--missing: nothing by default, a draft, or a deletion; never what is over or another ledger's", async () => {
    const importer = await openImporter(server);
    const over = "Epsilon,2027-01-02,10:00,,11:00,,,,";
    await importer.run([alpha, beta, gamma, over]);
    await importer.run([gamma], "--source second");
    expect((await importer.run([alpha])).fates).toEqual([]);
    expect((await importer.run([alpha, "Broken,yesterday,,,,,,,"], "--missing delete", 8)).fates).toEqual(["none failed"]);
    expect((await importer.run([alpha], "--missing draft")).fates).toEqual(["update done"]);
    expect((await importer.run([alpha], "--missing draft")).fates).toEqual([]);
    expect((await importer.run([alpha], "--missing delete")).fates).toEqual(["delete done"]);
    const titles = (await importer.list()).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(["Alpha Night", "Gamma Talk", "Epsilon"]));
    expect(titles).not.toContain("Beta Fair");
  });

  test("a record that was deleted on the site is not created again, unless its row has changed", async () => {
    const importer = await openImporter(server);
    await importer.run([alpha, beta]);
    const { id } = await importer.find("Alpha Night");
    await expectExitCode(importer.session.cal(`events delete ${id} --yes`), 0);
    const { stderr, fates } = await importer.run([alpha, beta]);
    expect(fates).toEqual([]);
    expect(stderr).toContain(`event ${id} was deleted on the site, and is not created again`);
    const changed = alpha.replace("22:00", "23:00");
    await importer.run([changed, beta], "", 8);
    expect((await importer.run([changed, beta], "--on-conflict source")).fates).toEqual(["create done"]);
    expect((await importer.run([changed, beta])).fates).toEqual([]);
  });

  test("missing venues and categories are created once, the venue with the address of the row", async () => {
    const importer = await openImporter(server);
    const path = importer.write(
      ["One,2027-03-05,New Hall,12 Main St,Springfield,'Folk, Jazz'".replaceAll("'", '"'), "Two,2027-03-06,new hall,,,Folk"],
      "events.csv",
      "title,start_date,venue,venue_address,venue city,categories",
    );
    const refused = await expectExitCode(importer.session.cal(`events import ${path} --yes`), 2);
    expect(refused.stderr).toContain(
      'events.csv:2: there is no venue "New Hall" (--create-missing creates it); there is no category "Folk"',
    );
    await expectExitCode(importer.session.cal(`events import ${path} --yes --create-missing`), 0);
    const { stdout } = await importer.session.cal("venues list --search 'New Hall' --json");
    expect(JSON.parse(stdout)).toMatchObject([{ venue: "New Hall", address: "12 Main St", city: "Springfield" }]);
    const [one, two] = [await importer.find("One"), await importer.find("Two")];
    expect(JSON.stringify(one["venue"])).toBe(JSON.stringify(two["venue"]));
    expect((one["categories"] as readonly JsonRecord[]).map(({ name }) => name).sort()).toEqual(["Folk", "Jazz"]);
    await expectExitCode(importer.session.cal(`events import ${path} --yes`), 0);
  });
});

describe("rows with problems", () => {
  test("all problems come at once with their lines; the good rows are written; --rejects can be corrected and imported", async () => {
    const importer = await openImporter("generic");
    const bad = ["Zeta,31/02/2027,10:00,,,,,,", "Eta,2027-03-09,25:00,,,Nowhere,,,", ",2027-03-09,10:00,,,,,,"];
    const rejects = join(importer.session.cal.folder, "rejects.csv");
    const { stderr, fates } = await importer.run([alpha, ...bad], `--date-order dmy --rejects ${rejects}`, 8);
    expect(fates).toEqual(["create done", "none failed", "none failed", "none failed"]);
    expect(stderr).toContain('events.csv:3: Event Start Date: "31/02/2027" is not a date');
    expect(stderr).toContain('events.csv:4: Event Start Time: "25:00" is not a time');
    expect(stderr).toContain("events.csv:5: title is empty");
    expect(readFileSync(rejects, "utf8").split("\r\n")).toEqual([header, ...bad, ""]);
    writeFileSync(rejects, [header, "Zeta,28/02/2027,10:00,,,,,,", ""].join("\n"));
    await expectExitCode(importer.session.cal(`events import ${rejects} --date-order dmy --yes`), 0);
    await importer.find("Zeta");
  });

  test("--all-or-nothing writes nothing; no good row is exit 2; so is a problem of the whole source", async () => {
    const importer = await openImporter("generic");
    const before = await importer.list();
    await importer.run([alpha, "Zeta,soon,,,,,,,"], "--all-or-nothing", 2);
    await importer.run(["Zeta,soon,,,,,,,"], "", 2);
    await importer.run([alpha.replace("2027-03-05", "3/5/2027")], "", 2);
    const path = importer.write([alpha], "other.csv", header.replace("Event Cost", "Prize"));
    const { stderr } = await expectExitCode(importer.session.cal(`events import ${path} --yes`), 2);
    expect(stderr).toContain('the column "Prize" is not a field of events');
    expect(await importer.list()).toEqual(before);
  });

  test("two rows with one key name each other", async () => {
    const importer = await openImporter("generic");
    const { stderr } = await importer.run([alpha, beta, alpha], "", 8);
    expect(stderr).toContain("events.csv:2: it has the same key as");
    expect(stderr).toMatch(/events\.csv:4: it has the same key as \S*events\.csv:2/);
    const many = await importer.run([...Array.from({ length: 3000 }, () => alpha), gamma], "", 8);
    expect(many.stderr).toMatch(/events\.csv:3000: it has the same key as (?:\S+events\.csv:[2-6],? ){5}and 2994 more: Alpha Night/);
    expect(many.fates.filter((fate) => fate !== "none failed")).toEqual(["create done"]);
  });

  test("more than one record needs --yes in a script, and --dry-run and --plan-out write nothing", async () => {
    const importer = await openImporter("generic");
    const { cal } = importer.session;
    const path = importer.write([alpha, beta]);
    await expectExitCode(cal(`events import ${path}`), 2);
    const { stdout } = await expectExitCode(cal(`events import ${path} --dry-run --json`), 0);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        { op: "create", source: { line: 2 } },
        { op: "create", source: { line: 3 } },
      ],
    });
    const plan = join(cal.folder, "plan.json");
    await expectExitCode(cal(`events import ${path} --plan-out ${plan}`), 0);
    expect(readdirSync(join(cal.folder, "state", "ledgers"))).toEqual([]);
    await expectExitCode(cal(`apply ${plan} --yes`), 0);
    // The records of the plan are found again.
    expect((await importer.run([alpha, beta])).fates).toEqual([]);
  });

  test("--key names the rows by a column of its own, --map and --empty-clears read the others", async () => {
    const importer = await openImporter("generic");
    const head = "Ref,What,start_date,end_date,cost";
    const run = (rows: readonly string[], flags = "") =>
      expectExitCode(
        importer.session.cal(`events import ${importer.write(rows, "k.csv", head)} --yes --key ref --map What=title ${flags}`),
        0,
      );
    await run(["7,Alpha,2027-03-05 10:00,2027-03-05 11:00,12", "8,Beta,2027-03-05 10:00,2027-03-05 11:00,12"]);
    const { id } = await importer.find("Alpha");
    await run(["7,Omega,2027-04-05 10:00,2027-04-05 11:00,", "8,Beta,2027-03-05 10:00,2027-03-05 11:00,"], "");
    expect(await importer.find("Omega")).toMatchObject({ id, start_date: "2027-04-05 10:00:00", cost: "12" });
    await run(["7,Omega,2027-04-05 10:00,2027-04-05 11:00,", "8,Beta,2027-03-05 10:00,2027-03-05 11:00,"], "--empty-clears");
    expect(await importer.find("Omega")).toMatchObject({ cost: "" });
  });

  test("--ledger keeps the ledger in a file; --tz changes no key", async () => {
    const importer = await openImporter("generic");
    const { cal } = importer.session;
    const ledger = join(cal.folder, "events.ledger");
    const path = importer.write([alpha, beta]);
    await expectExitCode(cal(`events import ${path} --yes --ledger ${ledger}`), 0);
    const keys = () => readFileSync(ledger, "utf8").match(/"key":"[^"]*"/g);
    const before = keys();
    expect(before).toEqual([
      '"key":"events/Alpha Night | 2027-03-05 19:30:00 | Town Hall"',
      '"key":"events/Beta Fair | 2027-03-06 10:00:00 | Blue Note Cellar"',
    ]);
    const { stderr } = await expectExitCode(cal(`events import ${path} --yes --ledger ${ledger} --tz Europe/Paris`), 0);
    expect(stderr).toContain("0 written, 2 unchanged");
    expect(keys()).toEqual(before);
  });

  test("stdin without a name has no ledger, so nothing can be missing from it", async () => {
    const importer = await openImporter("generic");
    const { cal } = importer.session;
    const text = `${header}\n${alpha}\n`;
    await expectExitCode(cal("events import - --input-format csv --missing delete --yes", text), 2);
    await expectExitCode(cal("events import - --input-format csv", text), 0);
    expect((await expectExitCode(cal("events import - --input-format csv", text), 0)).stderr).toContain("adopted event");
    await expectExitCode(cal("categories import - --input-format csv --source x --missing draft", "name\nOne\n"), 2);
  });
});

test("a second run reads the site by pages, not row by row", async () => {
  const session = await openSandboxSession("generic");
  const requests: string[] = [];
  const proxy = createServer(async (request, response) => {
    requests.push(`${request.method} ${(request.url ?? "").split("?")[0]}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await fetch(`${new URL(session.sandbox.baseUrl).origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: { authorization: `Bearer ${session.sandbox.token}`, "content-type": "application/json" },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  afterAll(() => void proxy.close());
  const address = proxy.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const baseUrl = session.sandbox.baseUrl.replace(/:\d+/, `:${port}`);
  const cal = createServerSession(baseUrl, "generic", { env: { CAL_TOKEN: session.sandbox.token } });
  const rows = Array.from({ length: 120 }, (_, at) => `Event ${at},2027-05-01 10:00,2027-05-01 11:00,Town Hall`);
  const path = join(cal.folder, "many.csv");
  writeFileSync(path, ["title,start_date,end_date,venue", ...rows, ""].join("\n"));
  await expectExitCode(cal(`events import ${path} --yes --format count`), 0);
  requests.length = 0;
  await expectExitCode(cal(`events import ${path} --yes`), 0);
  expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  expect(requests.length).toBeLessThan(20);
});

test("a row that failed is named once where the format has no place for it", async () => {
  const { cal } = await openSandboxSession("generic");
  const path = join(cal.folder, "one.csv");
  writeFileSync(path, "title,start_date,end_date\nGood,2027-05-01 10:00,2027-05-01 11:00\nBad,yesterday week,2027-05-01 11:00\n");
  const { stderr } = await expectExitCode(cal(`events import ${path} --yes --format count`), 8);
  const line = stderr.split("\n").find((one) => one.startsWith("cal: ")) ?? "";
  expect(line).toMatch(/^cal: .*one\.csv:3: start_date: /);
  expect(line.split("one.csv:3").length).toBe(2);
});
