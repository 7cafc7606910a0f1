// What `list` prints goes back in: export, empty the site, import, and list again. A second import of the same sends nothing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession, type SandboxSession } from "../records/sandbox.ts";

const resources = ["tags", "categories", "organizers", "venues", "events"] as const;

type Name = (typeof resources)[number];

const listFlags: Readonly<Record<Name, string>> = {
  tags: "--include-empty --all",
  categories: "--include-empty --all",
  organizers: "--all",
  venues: "--all",
  events: "--all-dates --all",
};

/** Fields that a new record gets anew, or that belong to the site. */
const ownFields =
  /^(?:id|global_id|global_id_lineage|url|urls|rest_url|modified|modified_utc|count|_links|json_ld|custom_fields|geo_lat|geo_lng)$/;

async function list({ cal }: SandboxSession, name: Name): Promise<readonly JsonRecord[]> {
  const { stdout } = await expectExitCode(cal(`${name} list ${listFlags[name]} --json`), 0);
  return JSON.parse(stdout) as readonly JsonRecord[];
}

/** Without what belongs to the site; linked records are their names, in any order. */
function comparable(records: readonly JsonRecord[]): readonly string[] {
  const parents = new Map(records.map((record) => [record["id"], record["name"]]));
  const nameOf = (value: unknown): unknown => {
    const record = value as JsonRecord | null;
    return record?.["venue"] ?? record?.["organizer"] ?? record?.["name"];
  };
  const simplify = ([name, value]: [string, unknown]): [string, unknown] => {
    if (name === "parent") return [name, parents.get(value) ?? 0];
    if (Array.isArray(value)) return [name, value.map(nameOf).sort()];
    return name === "venue" && typeof value === "object" ? [name, nameOf(value)] : [name, value];
  };
  return records
    .map((record) =>
      JSON.stringify(
        Object.entries(record)
          .filter(([name]) => !ownFields.test(name))
          .map(simplify)
          .sort(),
      ),
    )
    .sort();
}

async function empty(session: SandboxSession): Promise<void> {
  for (const name of [...resources].reverse()) {
    const { stdout } = await session.cal(`${name} list ${listFlags[name]} --format ids`);
    await expectExitCode(session.cal(`${name} delete - --yes --quiet`, stdout), 0);
    expect(await list(session, name)).toEqual([]);
  }
}

describe.each(["json", "ndjson", "yaml"])("%s", (format) => {
  test("every record is the same again, and importing again sends nothing", async () => {
    const session = await openSandboxSession("generic");
    const before = new Map<Name, readonly JsonRecord[]>();
    for (const name of resources) {
      before.set(name, await list(session, name));
      const { stdout } = await session.cal(`${name} list ${listFlags[name]} --format ${format}`);
      writeFileSync(join(session.cal.folder, `${name}.${format}`), stdout);
    }
    await empty(session);
    const importAll = async (flags: string) => {
      for (const name of resources) {
        const file = join(session.cal.folder, `${name}.${format}`);
        const { stderr } = await expectExitCode(session.cal(`${name} import ${file} --yes --quiet ${flags}`), 0);
        expect(stderr).toBe("");
      }
    };
    await importAll("");
    for (const name of resources) expect(comparable(await list(session, name)), name).toEqual(comparable(before.get(name) ?? []));
    const written = (await session.cal("log --json")).stdout;
    await importAll("--source again");
    await importAll("");
    expect((await session.cal("log --json")).stdout).toBe(written);
  });
});

test("csv: the columns that list prints, and any fields that --fields names", async () => {
  const session = await openSandboxSession("generic");
  const fields =
    "title,start_date,end_date,timezone,all_day,status,slug,description,excerpt,cost,website,featured,sticky,hide_from_listings,show_map,show_map_link,venue.venue,organizer.organizer,categories.name,tags.name,image,date_utc,author";
  const read = async () => (await session.cal(`events list --all-dates --all --fields ${fields} --format csv`)).stdout;
  const before = await read();
  const file = join(session.cal.folder, "events.csv");
  writeFileSync(file, before);
  const short = await session.cal("events list --all-dates --all --format csv");
  writeFileSync(join(session.cal.folder, "short.csv"), short.stdout);
  const { stdout: ids } = await session.cal("events list --all-dates --all --format ids");
  await expectExitCode(session.cal("events delete - --yes --quiet", ids), 0);
  await expectExitCode(session.cal(`events import ${file} --yes --quiet`), 0);
  const sort = (text: string) => text.split("\r\n").sort();
  expect(sort(await read())).toEqual(sort(before));
  const { stderr } = await expectExitCode(session.cal(`events import ${join(session.cal.folder, "short.csv")} --yes`), 0);
  expect(stderr).toContain("0 written");
});
