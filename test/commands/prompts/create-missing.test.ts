// --create-missing: linked records are created by their names, and never by accident.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

const dates = "--title A --start-date '2027-02-01 20:00' --duration 2h";
const serverProfiles = [{ serverProfile: "contract" }, { serverProfile: "the-events-calendar" }] as const;

describe.each(serverProfiles)("with the server profile $serverProfile", ({ serverProfile }) => {
  const cal = createSession({ env: { CAL_SANDBOX_HABITS: serverProfile } });

  test("creates each record once, says so, and links it", async () => {
    const line = `events create ${dates} --venue 'New Hall' --organizer 'Jane Doe' --category music,Fresh,fresh --tag brandnew --create-missing`;
    const { stdout, stderr } = await expectExitCode(cal(`${line} --json`), 0);
    const event = JSON.parse(stdout);
    expect(event).toMatchObject({ venue: { venue: "New Hall" } });
    expect(event.categories.map(({ name }: { name: string }) => name).sort()).toEqual(["Fresh", "Music"]);
    expect(event.tags.map(({ name }: { name: string }) => name)).toEqual(["brandnew"]);
    expect(stderr.match(/^Created \w+ \d+ "[^"]*"/gm)?.map((text) => text.replace(/\d+ /, ""))).toEqual([
      'Created venue "New Hall"',
      'Created category "Fresh"',
      'Created tag "brandnew"',
      'Created event "A"',
    ]);
    const { stderr: again } = await expectExitCode(cal(`events update ${event.id} --venue 'new hall' --tag BRANDNEW --create-missing`), 0);
    expect(again).toMatch(/^nothing to change/);
  });

  test("--dry-run shows all of it and creates nothing", async () => {
    const { stdout } = await expectExitCode(cal("events update 103 --venue Nowhere --tag unheard --create-missing --dry-run --json"), 0);
    const plan = JSON.parse(stdout) as readonly { method: string; url: string; body: Record<string, unknown> }[];
    expect(plan.map(({ method, url }) => `${method} ${url.replace(/.*\/v1\//, "")}`)).toEqual([
      "POST venues",
      "POST tags",
      "PATCH events/103",
    ]);
    expect(plan[0]?.body).toEqual({ venue: "Nowhere" });
    const link = '(id of the new venue "Nowhere")';
    expect(plan[2]?.body).toMatchObject({ venue: serverProfile === "contract" ? [link] : link, tags: ['(id of the new tag "unheard")'] });
    expect((await cal("venues list --search Nowhere --format count")).stdout).toBe("0\n");
  });

  test("a comma in the name of a place is asked about, and name: says what is meant", async () => {
    const refused = await expectExitCode(cal("events update 103 --venue 'Hall, Paris' --create-missing"), 2);
    expect(refused.stderr).toContain('is "Hall, Paris" one venue or several?');
    const { stdout } = await expectExitCode(cal("events update 103 --venue 'name:Hall, Paris' --create-missing --json"), 0);
    expect(JSON.parse(stdout)).toMatchObject({ venue: { venue: "Hall, Paris" } });
    expect((await cal("venues list --search 'Hall, Paris' --format count")).stdout).toBe("1\n");
  });

  test("a part of a name is created, and what it may have meant is reported, in a dry run too", async () => {
    await expectExitCode(cal("venues create --venue 'Old Chapel Garden'"), 0);
    const line = "events update 103 --venue 'old chap' --create-missing";
    const planned = await expectExitCode(cal(`${line} --dry-run`), 0);
    expect(planned.stderr).toMatch(
      /warning: venue "old chap" would be created; there is also \d+ "Old Chapel Garden" \(old-chapel-garden\)\n/,
    );
    const made = await expectExitCode(cal(line), 0);
    expect(made.stderr).toMatch(
      /warning: venue \d+ "old chap" .*was created; there is also \d+ "Old Chapel Garden" \(old-chapel-garden\)\n/,
    );
  });

  test("a name with a typing error is refused in a script before anything is created, unless its spelling is meant", async () => {
    const line = "events update 103 --organizer 'Somebody New' --create-missing";
    for (const options of ["", " --dry-run"]) {
      const { stderr } = await expectExitCode(cal(`${line} --venue 'Town Hal'${options}`), 2);
      expect(stderr).toBe(
        [
          'cal: --create-missing: there is no venue "Town Hal", but there is 23 "Town Hall" (town-hall)',
          "hint: to create it, mark the spelling as right: 'name:Town Hal'",
          "hint: to take the one that is there, give its id: 23",
          "",
        ].join("\n"),
      );
    }
    expect((await cal("organizers list --search Somebody --format count")).stdout).toBe("0\n");
    const { stdout } = await expectExitCode(cal("events update 103 --venue 'name:Town Hal' --create-missing --json"), 0);
    expect(JSON.parse(stdout)).toMatchObject({ venue: { venue: "Town Hal" } });
  });

  test("numbers and single letters are no typing errors", async () => {
    await expectExitCode(cal("tags create --name 'Stage number 1'"), 0);
    await expectExitCode(cal("tags create --name 'Big Stage A'"), 0);
    const { stdout } = await expectExitCode(cal("events update 104 --tag 'Stage number 2' --tag 'Big Stage B' --create-missing --json"), 0);
    expect(JSON.parse(stdout).tags.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["Stage number 2", "Big Stage B"]),
    );
  });

  test("at a terminal a typing error is asked about", async () => {
    const line = "events update 105 --venue 'Town Hll' --create-missing --json";
    const question = [
      'There is no venue "Town Hll". Which one do you mean?',
      '  23 "Town Hall" (town-hall)',
      '  a new venue "Town Hll"',
    ].join("\n");
    for (const [answer, venue] of [
      ["23", { id: 23 }],
      ["a new", { venue: "Town Hll" }],
    ] as const) {
      const prompt = createScriptedPrompt(answer);
      const session = createSession({ env: { CAL_SANDBOX_HABITS: serverProfile }, prompt });
      const { stdout } = await expectExitCode(session(line), 0);
      expect(JSON.parse(stdout).venue).toMatchObject(venue);
      expect(prompt.transcript).toEqual([question]);
    }
  });

  test("a parent is created too", async () => {
    const { stdout } = await expectExitCode(cal("categories create --name Below --parent Above --create-missing --json"), 0);
    const { stdout: parent } = await expectExitCode(cal(`categories get ${JSON.parse(stdout).parent} --field name`), 0);
    expect(parent).toBe("Above\n");
  });
});

describe("without it, or where it is no name", () => {
  const cal = createSession();

  test.each(["--venue Nowhere", "--venue slug:nowhere --create-missing", "--category music,Nowhere"])("%s is not found", async (flags) => {
    await expectExitCode(cal(`events update 103 ${flags}`), 3);
  });

  test("all that is missing is reported at once, with the flag that creates it", async () => {
    const { stderr } = await expectExitCode(cal("events update 103 --venue Nowhere --organizer Nobody --tag free"), 3);
    expect(stderr).toBe(
      [
        'cal: there is no venue "Nowhere"',
        'cal: there is no organizer "Nobody"',
        "hint: see what is there: cal venues list",
        "hint: see what is there: cal organizers list",
        "hint: to create it: --create-missing",
        "",
      ].join("\n"),
    );
    const { stderr: removed } = await expectExitCode(cal("events update 103 --remove-tag Nowhere"), 3);
    expect(removed).not.toContain("--create-missing");
  });

  test("nothing is created where something else is wrong", async () => {
    await expectExitCode(cal("events update 103 --venue Nowhere --tag slug:nowhere --create-missing"), 3);
    expect((await cal("venues list --search Nowhere --format count")).stdout).toBe("0\n");
  });
});
