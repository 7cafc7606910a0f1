// What a terminal shows of a record after a write: what was done, and not the whole record.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode, noPrompt } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

const quiet = { NO_COLOR: "1", CAL_SANDBOX_HABITS: "the-events-calendar" };
const terminal = () => createSession({ env: quiet, columns: 100, prompt: noPrompt });
const labels = (stdout: string) => stdout.split("\n").flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
const night = "events create --title 'Quiet Night' --start-date '2027-05-01 20:00' --duration 1h";

describe("at a terminal", () => {
  test("an update shows its changes, and no record", async () => {
    const cal = terminal();
    const { stdout, stderr } = await expectExitCode(cal("events update 103 --title Renamed"), 0);
    expect(stdout).toBe("");
    expect(stderr).toContain('\n  title: "Jazz Night" -> "Renamed"\n');
    expect(labels((await expectExitCode(cal("events update 103 --title Again --wide"), 0)).stdout).length).toBeGreaterThan(15);
    expect((await expectExitCode(cal("events update 103 --title Third --fields id,title"), 0)).stdout).toBe("id     103\ntitle  Third\n");
  });

  test("a create shows the input, and where the new record is", async () => {
    const cal = terminal();
    const { stdout } = await expectExitCode(cal(`${night} --category 3`), 0);
    const shown = ["categories", "end_date", "id", "slug", "start_date", "status", "timezone", "title", "url", "…"];
    expect(labels(stdout).sort()).toEqual(shown);
    expect(stdout).toMatch(/\n… +all of it: cal events get 160\n$/);
    expect(labels((await expectExitCode(cal("venues create --venue Barn --city Ghent"), 0)).stdout).sort()).toEqual([
      "city",
      "id",
      "slug",
      "status",
      "url",
      "venue",
      "…",
    ]);
    expect(labels((await expectExitCode(cal("events clone 103 --shift +1d"), 0)).stdout).sort()).toEqual([
      "end_date",
      "id",
      "slug",
      "start_date",
      "status",
      "timezone",
      "url",
      "…",
    ]);
  });
});

test("in a pipe the record is whole, as it was", async () => {
  const cal = createSession({ env: quiet });
  expect((await expectExitCode(cal("events update 103 --title Renamed --json"), 0)).stdout).toContain('"utc_start_date"');
  expect(labels((await expectExitCode(cal(`${night} --format table`), 0)).stdout).length).toBeGreaterThan(15);
});

describe("an event that is there already", () => {
  test("is reported before another one is created, and no is the answer", async () => {
    const user = createScriptedPrompt(false, true);
    const cal = createSession({ env: quiet, columns: 100, prompt: user });
    await expectExitCode(cal(night), 0);
    const second = await expectExitCode(cal(`${night} --cost 5`), 130);
    expect(second.stderr).toContain("nothing was created");
    expect(user.transcript).toEqual([
      expect.stringMatching(/^There is already event 160 "Quiet Night" 2027-05-01 20:00\s+http:\S+ - create another one\?$/),
    ]);
    await expectExitCode(cal(`${night} --timezone Asia/Tokyo`), 0);
    await expectExitCode(cal(night.replace("20:00", "21:00")), 0);
    await expectExitCode(cal(`${night} --yes`), 0);
    expect(user.transcript).toHaveLength(1);
    await expectExitCode(cal(night), 0);
    expect(user.transcript[1]).toContain(" and 1 more - create another one?");
  });

  test("is a warning in a script, and with --yes", async () => {
    const cal = createSession({ env: quiet });
    await expectExitCode(cal(night), 0);
    const warning =
      /^warning: there is already event 160 "Quiet Night" 2027-05-01 20:00 http:\S+(?: and 1 more)?; --if-not-exists creates no second one, and cal events get 160 shows it\n/;
    for (const line of [night, `${night} --yes`]) {
      const { stderr } = await expectExitCode(cal(line), 0);
      expect(stderr).toMatch(warning);
      expect(stderr).toContain("Created event 16");
    }
    const other = await expectExitCode(cal(night.replace("20:00", "21:00")), 0);
    expect(other.stderr).not.toContain("warning");
  });
});

describe.each(["contract", "the-events-calendar"])("--if-not-exists with the server profile %s", (serverProfile) => {
  const cal = createSession({ env: { ...quiet, CAL_SANDBOX_HABITS: serverProfile } });

  test.each([
    ["events", night],
    ["venues", "venues create --venue 'Old Mill'"],
    ["organizers", "organizers create --organizer 'Ää Öö'"],
    ["categories", "categories create --name Polka --parent music"],
    ["tags", "tags create --name 'late show'"],
  ])("%s: the same line twice makes one record, and prints it twice", async (_resource, line) => {
    const first = await expectExitCode(cal(`${line} --if-not-exists --field id`), 0);
    const second = await expectExitCode(cal(`${line} --if-not-exists --field id`), 0);
    expect(first.stderr).toMatch(/^Created /);
    expect(second.stderr).toMatch(/^nothing was created: there is already \w+ \d+ "/);
    expect(second.stdout).toBe(first.stdout);
    // Nothing is asked at a terminal, and a dry run shows the record too.
    const dryRun = await expectExitCode(cal(`${line} --if-not-exists --field id --dry-run`), 0);
    expect(dryRun.stdout).toBe(first.stdout);
  });

  test("another start, or another parent, is another record", async () => {
    await expectExitCode(cal(`${night.replace("20:00", "22:00")} --if-not-exists`), 0);
    const { stderr } = await expectExitCode(cal("categories create --name Polka --parent arts --if-not-exists"), 0);
    expect(stderr).toMatch(/^Created category/);
  });
});
