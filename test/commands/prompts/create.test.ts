// What create asks for at a terminal, and that it asks for nothing else and nowhere else.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

const start = "Start date and time (2027-01-30 19:00, fri 20:00)";
const end = "End, or how long (22:30, fri 22:30, 2h, 90m)";
const more = expect.stringMatching(/^More about the \w+\?\n {2}No, go on\n/) as unknown;
const create = expect.stringMatching(/^Create the \w+\?\n {2}Publish\n {2}Save as draft\n {2}Edit\n {2}Cancel$/) as unknown;
/** The answers that create the record without more fields. */
const publish = ["No", "Publish"] as const;
const fields = "--format csv --no-header --fields title,start_date,end_date";

describe("an event", () => {
  test("prompts for title, start and end; a bad answer is reported and the prompt is repeated", async () => {
    const user = createScriptedPrompt("", "A night", "01/02/2027", "fri 20:00", "2027-01-01", "soon", "90m", ...publish);
    const { stdout } = await expectExitCode(createSession({ prompt: user })(`events create ${fields}`), 0);
    expect(stdout).toBe("A night,2027-01-15 20:00:00,2027-01-15 21:30:00\r\n");
    expect(user.transcript).toEqual([
      "Title",
      "! an answer is needed",
      "Title",
      start,
      expect.stringMatching(/^! "01\/02\/2027" is not a date: day and month can be in either order/),
      start,
      end,
      "! the end is before the start",
      end,
      expect.stringMatching(/^! "soon" is not a date/),
      end,
      more,
      create,
    ]);
  });

  test("prompts only for what is missing, with an hour as the usual length", async () => {
    const user = createScriptedPrompt("", ...publish);
    const { stdout } = await expectExitCode(
      createSession({ prompt: user })(`events create --title A --start-date '2027-02-01 20:00' ${fields}`),
      0,
    );
    expect(stdout).toBe("A,2027-02-01 20:00:00,2027-02-01 21:00:00\r\n");
    expect(user.transcript).toEqual([end, more, create]);
  });

  test("that lasts all day ends on its day", async () => {
    const user = createScriptedPrompt("", ...publish);
    const { stdout } = await expectExitCode(
      createSession({ prompt: user })(`events create --title A --all-day --start-date 2027-02-01 ${fields}`),
      0,
    );
    expect(stdout).toBe("A,2027-02-01 00:00:00,2027-02-01 23:59:59\r\n");
  });

  test("with a length does not prompt for its end", async () => {
    const user = createScriptedPrompt("fri 20:00", ...publish);
    const { stdout } = await expectExitCode(createSession({ prompt: user })(`events create --title A --duration 2h ${fields}`), 0);
    expect(stdout).toBe("A,2027-01-15 20:00:00,2027-01-15 22:00:00\r\n");
    expect(user.transcript).toEqual([start, more, create]);
  });

  test("is read in the zone that was entered for it", async () => {
    const user = createScriptedPrompt("2027-02-01 20:00", "2h", ...publish);
    const line = "events create --title A --timezone Asia/Tokyo --json";
    const { stdout } = await expectExitCode(createSession({ prompt: user })(line), 0);
    expect(JSON.parse(stdout)).toMatchObject({
      start_date: "2027-02-01 20:00:00",
      timezone: "Asia/Tokyo",
      utc_start_date: "2027-02-01 11:00:00",
    });
  });
});

test.each(["venues", "organizers", "categories", "tags"])("%s prompt for their name, and offer the rest", async (resource) => {
  const user = createScriptedPrompt("By hand", "No", resource === "venues" || resource === "organizers" ? "Publish" : "Create");
  const { stdout } = await expectExitCode(createSession({ prompt: user })(`${resource} create --format ids`), 0);
  expect(stdout).toMatch(/^\d+\n$/);
  expect(user.transcript).toHaveLength(3);
  expect(user.transcript[1]).toContain("\n  Add description\n");
});

const zone = "(America/New_York)";

test("what a date came to is shown at once, and the summary before the last question", async () => {
  const user = createScriptedPrompt("Late Jam", "sat 7pm", "1am", ...publish);
  const { stderr } = await expectExitCode(createSession({ prompt: user })("events create -q --field id"), 0);
  expect(stderr).toBe(
    [
      `  Saturday 2027-01-16 19:00 ${zone}`,
      `  Saturday 2027-01-16 19:00 to Sunday 2027-01-17 01:00 ${zone}, 6h`,
      "The new event:",
      "  Title  Late Jam",
      `  When   Saturday 2027-01-16 19:00 to Sunday 2027-01-17 01:00 ${zone}, 6h`,
      "",
    ].join("\n"),
  );
});

test.each([
  ["10pm", "2027-01-16 22:00:00"],
  ["10 pm", "2027-01-16 22:00:00"],
  ["22:30", "2027-01-16 22:30:00"],
  ["19:00", "2027-01-17 19:00:00"],
  ["2h", "2027-01-16 21:00:00"],
])("the end %s is on the day of the start, or on the next one", async (answer, wall) => {
  const user = createScriptedPrompt(answer, ...publish);
  const line = "events create --title A --start-date '2027-01-16 19:00' --field end_date";
  expect((await expectExitCode(createSession({ prompt: user })(line), 0)).stdout).toBe(`${wall}\n`);
});

test("a time alone is on the clock of the event, whatever --tz is", async () => {
  const user = createScriptedPrompt("22:00", ...publish);
  const line = "events create --title A --start-date '2027-02-01 12:00' --tz UTC --timezone Asia/Tokyo --field end_date";
  expect((await expectExitCode(createSession({ prompt: user })(line), 0)).stdout).toBe("2027-02-01 22:00:00\n");
});

test("the menu adds a venue of the site, a new one, categories, a price and a draft", async () => {
  const create = async (...answers: string[]) => {
    const user = createScriptedPrompt("A", "sat 7pm", "2h", ...answers);
    const { stdout, stderr } = await expectExitCode(createSession({ prompt: user })("events create --json"), 0);
    return { event: JSON.parse(stdout) as Record<string, unknown>, stderr, transcript: user.transcript };
  };
  const first = await create(
    "Add venue",
    "hall",
    "Town Hall",
    "Add category",
    "jaz",
    "Jazz",
    "Add category",
    "",
    "Arts",
    "Add price",
    "12",
    "No",
    "Save as draft",
  );
  expect(first.event).toMatchObject({
    venue: { venue: "Town Hall" },
    cost: "12",
    status: "draft",
    categories: [{ name: "Jazz" }, { name: "Arts" }],
  });
  expect(first.transcript).toContainEqual(
    "Which venue?\n  Town Hall (1 Main Street, Albany)\n  A new venue: hall\n  Search again\n  No venue",
  );
  expect(first.stderr).toContain("  Category  Jazz, Arts\n");
  const second = await create("Add venue", "Moon Base", "A new venue: Moon Base", "No", "Publish");
  expect(second.event).toMatchObject({ venue: { venue: "Moon Base" }, status: "publish" });
  expect(second.stderr).toMatch(/^Created venue "Moon Base"|^Created venue \d+ "Moon Base"/m);
});

test("a new venue among the answers does not create what a flag of the same command misspells", async () => {
  const user = createScriptedPrompt("sat 7pm", "2h", "Add venue", "Old Mill, Utrecht", "A new venue", "No", "Publish");
  const cal = createSession({ prompt: user });
  const { stderr } = await expectExitCode(cal("events create --title A --category jaz"), 3);
  expect(stderr).toMatch(/there is no category "jaz"/);
  expect(stderr).not.toMatch(/Created/);
  expect((await cal("venues list --search mill --format count")).stdout).toBe("0\n");
  user.answers.push(true, "No", "Publish");
  const { stdout } = await expectExitCode(cal("events create --title A --category jazz --json"), 0);
  expect(JSON.parse(stdout)).toMatchObject({ venue: { venue: "Old Mill, Utrecht" }, categories: [{ name: "Jazz" }] });
});

test("a switch is a short question", async () => {
  const user = createScriptedPrompt("A", "2027-02-01", "2027-02-01", "All day", true, "No", "Publish");
  const { stdout } = await expectExitCode(createSession({ prompt: user })("events create --field all_day"), 0);
  expect(stdout).toBe("true\n");
  expect(user.transcript).toContain("All day?");
});

test("Edit changes an answer before anything is sent", async () => {
  const user = createScriptedPrompt("A", "sat 7pm", "2h", "No", "Edit", "Title: A", "B", "Edit", "Back", "Publish");
  expect((await expectExitCode(createSession({ prompt: user })("events create --field title"), 0)).stdout).toBe("B\n");
});

test("Edit adds one category, removes one, chooses others, and removes a text", async () => {
  const category = (name: string) => ["", name];
  const edit = (field: string, ...answers: string[]) => ["Edit", field, ...answers];
  const user = createScriptedPrompt(
    ...["A", "sat 7pm", "2h", "Add category", ...category("Jazz"), "Add category", ...category("Arts"), "Add category", ...category("No")],
    ...["Add price", "12", "No"],
    ...edit("Category: Jazz, Arts", "Add one more", ...category("Film")),
    ...edit("Category: Jazz, Arts, Film", "Remove Jazz"),
    ...edit("Price: 12", "Remove"),
    "Publish",
  );
  const cal = createSession({ prompt: user });
  const { stdout } = await expectExitCode(cal("events create --json"), 0);
  expect(JSON.parse(stdout)).toMatchObject({ cost: "", categories: [{ name: "Arts" }, { name: "Film" }] });
  user.answers.push("B", "sat 7pm", "2h", "Add category", ...category("Jazz"), "No");
  user.answers.push(...edit("Category: Jazz", "Change", ...category("Arts")), "Publish");
  const second = await expectExitCode(cal("events create --json"), 0);
  expect(JSON.parse(second.stdout)).toMatchObject({ categories: [{ name: "Arts" }] });
});

test("answers are kept for the next try after Cancel and after an error, and forgotten when the record is there", async () => {
  const user = createScriptedPrompt("A", "sat 7pm", "2h", "No", "Cancel");
  const cal = createSession({ prompt: user });
  const cancelled = await cal("events create");
  expect(cancelled.stdout).toBe("");
  expect(cancelled.stderr).toMatch(/your answers are kept: the next cal.events.create offers them\n.*nothing was created\n$/);
  user.answers.push(true, "No", "Publish");
  const failed = await cal("events create --set status=nosuch");
  expect(failed.code).not.toBe(0);
  user.answers.splice(0, user.answers.length, true, "No", "Publish");
  user.transcript.length = 0;
  const { stdout } = await expectExitCode(cal("events create --format csv --no-header --fields title,start_date,end_date"), 0);
  expect(stdout).toBe("A,2027-01-16 19:00:00,2027-01-16 21:00:00\r\n");
  expect(user.transcript[0]).toBe("Go on with the event that was not created (A, 2027-01-16 19:00, 2h)?");
  user.answers.push("New", "sun 7pm", "1h", "No", "Publish");
  await expectExitCode(cal("events create"), 0);
});

test("who is logged out learns it before the first question", async () => {
  const user = createScriptedPrompt();
  const cal = createSession({ prompt: user, env: { CAL_SANDBOX: "0", CAL_BASE_URL: "http://127.0.0.1:9/wp-json" } });
  const { stderr, code } = await cal("events create");
  expect({ code, transcript: user.transcript }).toEqual({ code: 4, transcript: [] });
  expect(stderr).toMatch(/not logged in: nothing can be created[\s\S]*cal auth login/);
});

test.each([
  ["--start-date '2027-01-14 20:00' --duration 2h", `warning: the event is over: it ended 2027-01-14 22:00 ${zone}`],
  ["--start-date '2027-01-15 06:00' --duration 4h", `warning: the event has begun: it started 2027-01-15 06:00 ${zone}`],
])("a start in the past is a warning with flags too: %s", async (flags, warning) => {
  const { stderr } = await expectExitCode(createSession()(`events create --title A ${flags}`), 0);
  expect(stderr.split("\n")).toContain(warning);
});

test("a start in the past is a warning at its question, and not repeated", async () => {
  const user = createScriptedPrompt("2027-01-14 20:00", "2h", ...publish);
  const { stderr } = await expectExitCode(createSession({ prompt: user })("events create --title A"), 0);
  expect(stderr.match(/^warning: .*/gm)).toEqual([
    `warning: the event has begun: it started 2027-01-14 20:00 ${zone}`,
    `warning: the event is over: it ended 2027-01-14 22:00 ${zone}`,
  ]);
});

test.each(["--all-day --start-date today --end-date today", "--start-date '2027-01-15 07:01' --duration 2h"])(
  "what runs today or is still to come is no warning: %s",
  async (flags) => {
    expect((await expectExitCode(createSession()(`events create --title A ${flags}`), 0)).stderr).not.toContain("warning");
  },
);

test.each([
  ["--start-date 30.02.2027", /--start-date: /],
  ["--duration abc", /--duration: /],
  ["--venu 23", /unknown flag --venu/],
  ["--set-json venue=x", /--set-json venue takes JSON/],
] as const)("nothing is requested where something is wrong already: %s", async (flags, reported) => {
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
