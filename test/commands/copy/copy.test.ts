// `cal <resource> copy` between both kinds of server: what is written the first time, and what the second time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectExitCode, type Session } from "../../helpers/session.ts";
import { kinds, openTwoSites, type TwoSites } from "./two-sites.ts";

const directions = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));

/** Refused lines change nothing, so they share the sites. */
const refusals = (async () => {
  const sites = await openTwoSites("generic", "generic");
  await expectExitCode(sites.cal("profile add empty --quiet"), 0);
  await expectExitCode(sites.cal(`profile add frozen --base-url ${sites.target.baseUrl} --read-only --quiet`), 0);
  return sites;
})();

/** In another zone than the site, with two categories, a tag, an organizer and a venue. */
const band =
  "--title 'Nuit du jazz & more' --start-date '2027-03-05 20:00' --end-date '2027-03-05 23:30' --timezone Europe/Paris --category jazz,arts --tag free --organizer jane-doe --venue 'Café de l’Été' --cost 12 --description '<p>First <b>words</b></p>' --website https://band.example.org/ --slug nuit-du-jazz";

async function createBand({ cal }: TwoSites): Promise<string> {
  return (await expectExitCode(cal(`events create ${band} --field id --quiet`), 0)).stdout.trim();
}

describe.each(directions)("%s to %s", (from, to) => {
  test("a record with all that it links to, then nothing, then what has changed", async () => {
    const sites = await openTwoSites(from, to);
    const id = await createBand(sites);
    const first = await sites.copy(`events copy ${id}`);
    expect([...first.fates].sort()).toEqual(
      [...Array(3).fill("categories"), "events", "organizers", "tags", "venues"]
        .map((resource) => `create ${String(resource)} done`)
        .sort(),
    );
    const [copied] = await sites.read(sites.live, "events list --search jazz --all-dates");
    expect(copied).toMatchObject({
      start_date: "2027-03-05 20:00:00",
      end_date: "2027-03-05 23:30:00",
      timezone: "Europe/Paris",
      slug: "nuit-du-jazz",
      website: "https://band.example.org/",
    });
    expect(JSON.stringify(copied)).toContain("First <b>words</b>");
    const { stdout } = await expectExitCode(
      sites.live("events list --all-dates --fields title,venue.venue,venue.city,organizer.organizer,categories.slug,tags.slug --no-header"),
      0,
    );
    expect(stdout.replaceAll("’", "'")).toBe("Nuit du jazz & more\tCafé de l'Été\tParis\tJane Doe\tjazz, arts\tfree\n");
    // The parent of a category comes with it.
    expect((await expectExitCode(sites.live("categories list --parent music --include-empty --field slug"), 0)).stdout).toBe("jazz\n");
    const second = await sites.copy(`events copy ${id}`);
    expect(second.fates).toEqual([]);
    expect(second.stderr).toContain("0 written, 7 unchanged");

    await expectExitCode(sites.cal(`events update ${id} --title 'Nuit du swing' --quiet`), 0);
    const edited = String(copied?.["id"]);
    await expectExitCode(sites.live(`events update ${edited} --website https://live.example.org/ --quiet`), 0);
    const third = await sites.copy(`events copy ${id}`);
    expect(third.fates).toEqual(["update events done"]);
    expect(third.stderr).toContain("kept as edited on the site: website");
    expect(await sites.read(sites.live, `events get ${edited}`)).toMatchObject({
      title: "Nuit du swing",
      website: "https://live.example.org/",
      slug: "nuit-du-jazz",
    });

    await expectExitCode(sites.cal(`events update ${id} --website https://new.example.org/ --quiet`), 0);
    const conflict = await sites.copy(`events copy ${id}`, 8);
    expect(conflict.stderr).toContain('website (source "https://new.example.org/", site "https://live.example.org/")');
    expect((await sites.copy(`events copy ${id} --on-conflict source`)).fates).toEqual(["update events done"]);
    expect((await sites.copy(`events copy ${id}`)).fates).toEqual([]);
  });
});

test("what is there already is found by slug, or by name and city; several are refused with their ids", async () => {
  const sites = await openTwoSites("generic", "generic", false);
  const { cal, live, copy } = { cal: sites.cal, live: sites.live, copy: (line: string, code?: number) => sites.copy(line, code) };
  const adopted = await copy("events copy 103 104");
  expect(adopted.fates).toEqual([]);
  expect(adopted.stderr).toContain('venues/21: adopted venue 21 "Blue Note Cellar"');
  // The slug is another one on both sites.
  const barn = (await expectExitCode(cal("venues create --venue Barn --city Troy --field id --quiet"), 0)).stdout.trim();
  await expectExitCode(cal(`venues update ${barn} --venue 'Old Mill' --quiet`), 0);
  const mill = (await expectExitCode(live("venues create --venue 'Old Mill' --city Troy --field id --quiet"), 0)).stdout.trim();
  const other = (await expectExitCode(live("venues create --venue 'Old Mill' --city Troy --field id --quiet"), 0)).stdout.trim();
  const several = await copy(`venues copy ${barn}`, 6);
  expect(several.stderr).toContain(`venues/${barn}: several venues match: ${other}, ${mill}`);
  await expectExitCode(live(`venues update ${other} --city Utica --quiet`), 0);
  expect((await copy(`venues copy ${barn}`)).stderr).toContain(`adopted venue ${mill} "Old Mill"`);
  // An event on another day that has the slug of this one is not overwritten.
  const id = (
    await expectExitCode(cal("events create --title Gala --start-date '2027-03-05 20:00' --duration 2h --slug gala --field id --quiet"), 0)
  ).stdout.trim();
  await expectExitCode(live("events create --title Gala --start-date '2027-06-05 20:00' --duration 2h --slug gala --quiet"), 0);
  expect((await copy(`events copy ${id}`, 6)).stderr).toContain("the site has other values: start_date");
});

test("filters choose as in a list, a limit counts records, and a weekly event is not taken for one that moved", async () => {
  const sites = await openTwoSites("generic", "the-events-calendar");
  expect(
    (await sites.copy("events copy --venue town-hall --month 2027-01 --limit 1")).fates.filter((fate) => fate.includes("events")),
  ).toHaveLength(1);
  const [first] = await sites.read(sites.cal, "events list --search 'Jazz Night' --all-dates --limit 5");
  const id = String(first?.["id"]);
  await expectExitCode(sites.copy(`events copy ${id}`), 0);
  const next = (await expectExitCode(sites.cal(`events clone ${id} --shift +1w --field id --quiet`), 0)).stdout.trim();
  expect((await sites.copy(`events copy ${next}`)).fates).toEqual(["create events done"]);
  expect((await expectExitCode(sites.live("events list --search 'Jazz Night' --all-dates --format count"), 0)).stdout).toBe("2\n");
});

test.each([
  ["generic", "the-events-calendar"],
  ["the-events-calendar", "generic"],
] as const)("every event of a %s site has the same times, status and links at a %s site", async (from, to) => {
  const sites = await openTwoSites(from, to);
  await sites.copy("events copy --all --all-dates");
  const fields =
    "title,start_date,end_date,timezone,all_day,status,featured,venue.venue,venue.city,organizer.organizer,categories.slug,tags.slug,hide_from_listings";
  const show = async (cal: Session) => {
    const { stdout } = await expectExitCode(
      cal(`events list --all --all-dates --status publish,draft,pending,private --fields ${fields} --no-header`),
      0,
    );
    // A site that runs The Events Calendar shows typographic quotes, and hidden events in no list.
    return stdout
      .trimEnd()
      .replace(/[“”]/g, '"')
      .replaceAll("’", "'")
      .split("\n")
      .filter((line) => !line.endsWith("true"))
      .sort();
  };
  expect(await show(sites.live)).toEqual(await show(sites.cal));
  expect((await sites.copy("events copy --all --all-dates")).fates).toEqual([]);
});

test("losses are listed before anything is written, and --dry-run writes nothing", async () => {
  const sites = await openTwoSites("the-events-calendar", "generic");
  const dry = await expectExitCode(sites.cal("events copy 103 --to live --dry-run --json"), 0);
  expect(dry.stderr).toContain('not copied: image: the target takes no files: event 103 "Jazz Night"');
  expect(dry.stderr).toContain("not copied: author and date of publication");
  expect((JSON.parse(dry.stdout) as { site: string }).site).toBe(`${sites.target.baseUrl}/${sites.target.namespace}`);
  expect((await expectExitCode(sites.live("events list --all-dates --format count"), 0)).stdout).toBe("0\n");
});

test("a saved plan is applied at the target, and log and undo are those of its profile", async () => {
  const sites = await openTwoSites("generic", "generic");
  const { cal } = sites;
  const plan = join(cal.folder, "plan.json");
  await expectExitCode(cal(`events copy 103 --to live --plan-out ${plan} --quiet`), 0);
  expect(readFileSync(plan, "utf8")).not.toContain(sites.target.token);
  await expectExitCode(sites.live(`apply ${plan} --yes --quiet`), 0);
  // The copy finds what the plan has created.
  expect((await sites.copy("events copy 103")).fates).toEqual([]);
  await sites.copy("events copy 110");
  expect((await expectExitCode(cal("log --format count"), 0)).stdout).toBe("0\n");
  const [last] = await sites.read(sites.live, "-p live log");
  expect(last?.["command"]).toBe("cal events copy 110 --to live --yes --json");
  await expectExitCode(sites.live(`-p live undo ${String(last?.["operation"])} --yes --quiet`), 0);
  expect((await expectExitCode(sites.live("events list --all-dates --fields title --no-header"), 0)).stdout).toBe("Jazz Night\n");
});

describe("what is refused before anything is sent", () => {
  test.each([
    ["events copy 103 --title Other", 2, "cal events clone 103 --title Other"],
    ["event copy", 2, "cal events clone"],
    ["-q events copy 103 --start-date '2027-03-05 20:00'", 2, "cal events clone -q 103 --start-date '2027-03-05 20:00'"],
    ["events copy --to live", 2, "which events? Give refs, a filter, or --all"],
    ["events copy 103 --to live --venue town-hall", 2, "refs and filters exclude each other"],
    ["events copy 103 --to liv", 2, '--to: there is no profile "liv"; did you mean live?'],
    ["events copy 103 --to staging", 2, "profile staging is the site that is copied from"],
    ["events copy 103 --to live --sandbox", 2, "cal sandbox serve"],
    ["events copy 103 --to empty", 2, "profile empty names no site yet"],
    ["events copy 103 --to frozen", 5, "a copy to profile frozen would write, and this is read-only"],
    ["events copy 103 --to live --read-only", 5, "read-only"],
    ["events copy 103 99999 --to live", 3, "99999"],
    ["events copy --all --to live --max-changes 3 --yes", 2, "--max-changes allows 3"],
  ])("%s", async (line, code, text) => {
    const { cal, live } = await refusals;
    const { stderr, stdout } = await expectExitCode(cal(line), code);
    expect(stderr).toContain(text);
    expect(stdout).toBe("");
    expect((await expectExitCode(live("events list --all-dates --format count"), 0)).stdout).toBe("0\n");
  });

  test("read_only of the source refuses nothing", async () => {
    const sites = await refusals;
    await expectExitCode(sites.cal("-p staging config set read_only true --quiet"), 0);
    expect((await sites.copy("tags copy --all")).code).toBe(0);
  });
});
