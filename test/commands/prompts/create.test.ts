// What create asks for at a terminal, and that it asks for nothing else and nowhere else.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

const start = "Start date and time (2027-01-30 19:00, fri 20:00)";
const end = "End date and time, or how long (fri 22:30, 2h, 90m)";
const fields = "--format csv --no-header --fields title,start_date,end_date";

describe("an event", () => {
  test("prompts for title, start and end; a bad answer is reported and the prompt is repeated", async () => {
    const user = createScriptedPrompt("", "A night", "01/02/2027", "fri 20:00", "2027-01-01", "soon", "90m");
    const { stdout } = await expectExitCode(createSession({ prompt: user })(`events create ${fields}`), 0);
    expect(stdout).toBe("A night,2027-01-15 20:00:00,2027-01-15 21:30:00\r\n");
    expect(user.transcript).toEqual([
      "Title",
      "! an answer is needed",
      "Title",
      start,
      expect.stringMatching(/^! "01\/02\/2027" is not a date: day and month can stand in either order/),
      start,
      end,
      "! --end-date is before --start-date",
      end,
      expect.stringMatching(/^! "soon" is not a date/),
      end,
    ]);
  });

  test("prompts only for what is missing, with an hour as the usual length", async () => {
    const user = createScriptedPrompt("");
    const { stdout } = await expectExitCode(
      createSession({ prompt: user })(`events create --title A --start-date '2027-02-01 20:00' ${fields}`),
      0,
    );
    expect(stdout).toBe("A,2027-02-01 20:00:00,2027-02-01 21:00:00\r\n");
    expect(user.transcript).toEqual([end]);
  });

  test("that lasts all day ends on its day", async () => {
    const user = createScriptedPrompt("");
    const { stdout } = await expectExitCode(
      createSession({ prompt: user })(`events create --title A --all-day --start-date 2027-02-01 ${fields}`),
      0,
    );
    expect(stdout).toBe("A,2027-02-01 00:00:00,2027-02-01 23:59:59\r\n");
  });

  test("with a length does not prompt for its end", async () => {
    const user = createScriptedPrompt("fri 20:00");
    const { stdout } = await expectExitCode(createSession({ prompt: user })(`events create --title A --duration 2h ${fields}`), 0);
    expect(stdout).toBe("A,2027-01-15 20:00:00,2027-01-15 22:00:00\r\n");
    expect(user.transcript).toEqual([start]);
  });

  test("is read in the zone that was entered for it", async () => {
    const user = createScriptedPrompt("2027-02-01 20:00", "2h");
    const line = "events create --title A --timezone Asia/Tokyo --json";
    const { stdout } = await expectExitCode(createSession({ prompt: user })(line), 0);
    expect(JSON.parse(stdout)).toMatchObject({
      start_date: "2027-02-01 20:00:00",
      timezone: "Asia/Tokyo",
      utc_start_date: "2027-02-01 11:00:00",
    });
  });
});

test.each(["venues", "organizers", "categories", "tags"])("%s prompt for their name only", async (resource) => {
  const user = createScriptedPrompt("By hand");
  const { stdout } = await expectExitCode(createSession({ prompt: user })(`${resource} create --format ids`), 0);
  expect(stdout).toMatch(/^\d+\n$/);
  expect(user.transcript).toHaveLength(1);
});

test.each([
  ["--start-date 30.02.2027", /--start-date: /],
  ["--duration abc", /--duration: /],
  ["--venu 23", /unknown flag --venu/],
  ["--set-json venue=x", /--set-json venue takes JSON/],
])("nothing is requested where something is wrong already: %s", async (flags, reported) => {
  const { stderr } = await expectExitCode(createSession({ prompt: createScriptedPrompt() })(`events create ${flags}`), 2);
  expect(stderr).toMatch(reported);
  expect(stderr).toContain("--title is required");
});

test.each([
  { name: "no terminal", options: {} },
  { name: "--no-input", options: { prompt: createScriptedPrompt(), env: { NO_COLOR: "1" } }, flags: "--no-input" },
  { name: "CI", options: { prompt: createScriptedPrompt(), env: { CI: "true", NO_COLOR: "1" } } },
])("no prompt is shown: $name", async ({ options, flags = "" }) => {
  const cal = createSession(options);
  expect(await cal(`events create --title A ${flags}`)).toEqual({
    code: 2,
    stdout: "",
    stderr: "cal: --start-date is required\ncal: --end-date is required\nhint: see the flags: cal events create --help\n",
  });
  expect((await cal(`events delete jazz-night ${flags}`)).stderr).toMatch(/^cal: delete needs a confirmation/);
  expect((await cal(`events edit jazz-night ${flags}`)).stderr).toMatch(/^cal: edit opens an editor, and there is no terminal/);
  expect((await cal(`events get 'name:Town Meeting' ${flags}`)).stderr).toMatch(/^cal: name:"Town Meeting" is several: 118 /);
});
