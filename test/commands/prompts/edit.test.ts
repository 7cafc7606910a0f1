// `edit`: what the editor shows, what is sent, and that no text is lost.

import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createSession, expectExitCode, fixedNow, type Session } from "../../helpers/session.ts";
import { startFixtureSandbox } from "../../sandbox/fixtures.ts";
import { createScriptedPrompt, type ScriptedPrompt } from "./scripted-prompt.ts";

type Change = (text: string) => string;

interface Editing {
  readonly cal: Session;
  readonly user: ScriptedPrompt;
  /** Every text that the editor was opened with. */
  readonly seen: string[];
}

/** Somebody whose editor makes one change each time that it is opened. */
function editing(
  changes: readonly (Change | number)[],
  answers: (string | boolean)[],
  env: Readonly<Record<string, string>> = {},
): Editing {
  const user = createScriptedPrompt(...answers);
  const seen: string[] = [];
  const left = [...changes];
  const edit = async (file: string) => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, "utf8");
    seen.push(text);
    const change = left.shift() ?? 1;
    if (typeof change === "number") return change;
    writeFileSync(file, change(text));
    return 0;
  };
  return { cal: createSession({ prompt: user, edit, env: { NO_COLOR: "1", ...env } }), user, seen };
}

const tec = { CAL_SANDBOX_HABITS: "the-events-calendar" };

/** A new site that shows texts only as they look on the page. */
async function openRenderingSite(): Promise<Readonly<Record<string, string>>> {
  const sandbox = await startFixtureSandbox({
    file: ":memory:",
    day: fixedNow.slice(0, 10),
    now: () => Date.parse(fixedNow),
    serverProfile: "the-events-calendar",
    wpV2Status: 404,
  });
  afterAll(() => sandbox.close());
  const [{ username, applicationPassword }] = sandbox.users;
  return {
    CAL_SANDBOX: "0",
    CAL_BASE_URL: sandbox.baseUrl,
    CAL_NAMESPACE: sandbox.namespace,
    CAL_USERNAME: username,
    CAL_PASSWORD: applicationPassword,
  };
}
const retitled: Change = (text) => text.replace(/^title: .*$/m, "title: Renamed");
const json = async (cal: Session, line: string) => JSON.parse((await expectExitCode(cal(`${line} --json`), 0)).stdout);
const savedTextMessage = /your text is kept for 30 days; (?:to send it|correct it and): (cal .* --data @(\S+))\n/;

describe("the text", () => {
  test("holds what can be written, and nothing else", async () => {
    const { cal, seen } = editing([(text) => text], []);
    const { stderr } = await expectExitCode(cal("events edit 103"), 0);
    expect(stderr).toMatch(/^nothing to change: event 103 "Jazz Night"/);
    expect(
      seen[0]
        ?.replace(/http:\/\/127\S+/g, "URL")
        .split("\n")
        .slice(0, 14),
    ).toEqual([
      '# event 103 "Jazz Night" URL',
      "# Save and leave the editor to send what you change; change nothing to send nothing.",
      '# To empty a field, write "" behind its name ([] for a list). A field without a line stays as it is.',
      "# Linked records are named by id, by slug or by name.",
      '# A long text is below "|-", each line indented by two spaces; anything may be typed there.',
      "",
      "title: Jazz Night",
      'start_date: "2027-01-16 20:00:00"',
      'end_date: "2027-01-16 23:00:00"',
      "author: 1",
      expect.stringMatching(/^date: "20/),
      expect.stringMatching(/^date_utc: "20/),
      "description: |-",
      "  <p>The house trio and a guest. <strong>Two sets</strong>, one break.</p>",
    ]);
    expect(seen[0]).toContain("\nvenue: [21] # Blue Note Cellar\n");
    expect(seen[0]).not.toMatch(/^(?:id|modified|url)/m);
  });

  test("has rendered descriptions as comments, and sends them only when they are written again", async () => {
    const { cal, seen } = editing([retitled, (text) => `${text}description: <p>New</p>\n`], [true, true], await openRenderingSite());
    const before = await json(cal, "events get 103");
    await expectExitCode(cal("events edit 103"), 0);
    expect(seen[0]).toMatch(/^# description: rendered HTML.*\n# {3}<p>The house trio/m);
    expect(await json(cal, "events get 103")).toMatchObject({ title: "Renamed", description: before.description, cost: before.cost });
    await expectExitCode(cal("events edit 103"), 0);
    expect(seen[0]).toMatch(/^# excerpt: \|-$/m);
    expect((await json(cal, "events get 103")).description).toContain("<p>New</p>");
  });

  test("has the source of a description where the user may edit it, blocks and shortcodes included", async () => {
    const source = '<!-- wp:paragraph -->\n<p>It\'s "on" -- [gallery ids="1"]</p>\n<!-- /wp:paragraph -->';
    const { cal, user, seen } = editing([retitled, (text) => text.replace("It's", "It is")], [true, true], tec);
    const { stdout } = await expectExitCode(
      cal(
        "events create --title Blocks --start-date '2027-05-10 20:00' --duration 1h --data - --field id",
        JSON.stringify({ description: source }),
      ),
      0,
    );
    const id = stdout.trim();
    const stored = async () => (await json(cal, `api GET /wp/v2/tribe_events/${id} --query context=edit`)).content.raw as string;
    await expectExitCode(cal(`events edit ${id}`), 0);
    expect(seen[0]).toContain(`\ndescription: |-\n${source.replace(/^/gm, "  ")}\n`);
    expect(await stored()).toBe(source);
    await expectExitCode(cal(`events edit ${id}`), 0);
    expect(await stored()).toBe(source.replace("It's", "It is"));
    expect(user.transcript).toEqual(["Send this change?", "Send this change?"]);
  });

  test.each([
    ["what is like a mapping", (text: string) => text.replace("<p>The house", "Doors: 7pm # sharp\n  - <p>The house"), "103"],
    [
      "into an empty one",
      (text: string) => text.replace(/^description: \|-\n {2}$/m, "description: |-\n  Doors: 7pm # sharp\n  - more"),
      "104",
    ],
  ])("takes any text in a description: %s", async (_what, change, ref) => {
    const { cal } = editing([change], [true]);
    await expectExitCode(cal("events update 104 --clear description"), 0);
    await expectExitCode(cal(`events edit ${ref}`), 0);
    expect((await json(cal, `events get ${ref}`)).description).toMatch(/^Doors: 7pm # sharp\n- /);
  });

  test("that was made empty sends nothing", async () => {
    const { cal } = editing([() => "", () => "# nothing\n"], []);
    for (const _time of [1, 2]) expect((await expectExitCode(cal("events edit 103"), 0)).stderr).toMatch(/nothing to change/);
  });
});

test.each([
  ["events", "103", "title"],
  ["venues", "town-hall", "venue"],
  ["organizers", "jane-doe", "organizer"],
  ["categories", "slug:jazz", "name"],
  ["tags", "12", "name"],
])("%s: only the change is sent", async (resource, ref, title) => {
  const { cal } = editing([(text) => text.replace(new RegExp(`^${title}: .*$`, "m"), `${title}: Renamed`)], []);
  const { stdout } = await expectExitCode(cal(`${resource} edit ${ref} --dry-run --json`), 0);
  const plan = JSON.parse(stdout) as { method: string; body: unknown };
  expect(plan).toMatchObject({ method: "PATCH", body: { [title]: "Renamed" } });
  expect(Object.keys(Object(plan.body))).toEqual([title]);
});

test("the change is shown and confirmed; links may be named", async () => {
  const change: Change = (text) =>
    retitled(text)
      .replace(/^venue: .*$/m, "venue: [Town Hall]")
      .replace(/^website: .*$/m, 'website: ""');
  const { cal, user } = editing([change], [true]);
  const { stdout, stderr } = await expectExitCode(cal("events edit 103 --json"), 0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 103, title: "Renamed", website: "", venue: { id: 23 } });
  expect(stderr.split("\n").slice(0, 7)).toEqual([
    "- title: Jazz Night",
    "+ title: Renamed",
    expect.stringMatching(/^- website: http/),
    '+ website: ""',
    "  venue:",
    "-   - 21",
    "+   - Town Hall",
  ]);
  expect(user.transcript).toEqual(["Send this change?"]);
});

describe("a text that was not sent is stored, and the way to send it is reported", () => {
  test("when the answer is No", async () => {
    const { cal } = editing([retitled], [false]);
    const { stderr } = await expectExitCode(cal("events edit 103"), 130);
    const [, line = "", file = ""] = savedTextMessage.exec(stderr) ?? [];
    expect(readFileSync(file, "utf8")).toContain("title: Renamed");
    await expectExitCode(cal(line.replace("cal ", "")), 0);
    expect((await json(cal, "events get 103")).title).toBe("Renamed");
  });

  test("when somebody else changed the record meanwhile: exit 6", async () => {
    const same = createSession();
    const racing = createSession({
      prompt: createScriptedPrompt(true),
      env: { CAL_STATE_DIR: `${same.folder}/state`, NO_COLOR: "1" },
      edit: async (file) => {
        writeFileSync(file, retitled(readFileSync(file, "utf8")));
        await expectExitCode(same("events update 103 --cost 99"), 0);
        return 0;
      },
    });
    const { stderr } = await expectExitCode(racing("events edit 103"), 6);
    expect(stderr).toMatch(/^cal: event 103 .* was changed by somebody else in the meantime; nothing was sent$/m);
    const [, file = ""] = /your text is kept for 30 days: (\S+)\n/.exec(stderr) ?? [];
    expect(readFileSync(file, "utf8")).toContain("title: Renamed");
    expect(await json(same, "events get 103")).toMatchObject({ title: "Jazz Night", cost: "99" });
  });

  test("when it is no YAML and is not to be mended: exit 2", async () => {
    const { cal, user } = editing([() => "title: [\n"], [false]);
    const { stderr } = await expectExitCode(cal("events edit 103"), 2);
    expect(stderr).toMatch(/^the text is not valid YAML: .* at line 2, column 1:/);
    expect(stderr).toMatch(
      /^hint: put the text in quotes, or below "\|-", indented\nhint: your text is kept for 30 days; correct it and: cal events update 103 --data @/m,
    );
    expect(stderr).toMatch(savedTextMessage);
    expect(user.transcript).toEqual(["Edit it again?"]);
  });

  test("when the server refuses it: exit 6", async () => {
    const { cal } = editing([(text) => text.replace(/^status: .*$/m, "status: nonsense")], [true, false], tec);
    const { stderr } = await expectExitCode(cal("events edit 103"), 6);
    expect(stderr).toMatch(savedTextMessage);
  });
});

describe("a text with a mistake is edited again where it was left", () => {
  test.each<[string, Change, RegExp]>([
    ["broken", (text) => `${text}title: twice\n`, /^the text is not valid YAML: /],
    ["no fields", () => "- 1\n", /^the text does not hold fields/],
    ["an unknown field", (text) => `${text}titel: X\n`, /^the text: titel is not a field of events; did you mean title\?/],
    ["a field of the server's", (text) => `${text}modified: X\n`, /^the text: modified can't be written/],
    ["a bad date", (text) => text.replace(/^start_date: .*$/m, "start_date: 2027-02-30"), /--start-date: 2027-02-30 does not exist/],
    ["an end before the start", (text) => text.replace(/^end_date: .*$/m, "end_date: 2020-01-01"), /would end/],
    ["a wrong type", (text) => text.replace(/^featured: .*$/m, "featured: perhaps"), /^the text: featured takes true or false/],
  ])("%s", async (_name, change, reported) => {
    const { cal, seen } = editing([change, () => "title: Mended\n"], [true, true, true]);
    const { stdout, stderr } = await expectExitCode(cal("events edit 103 --yes --field title"), 0);
    expect(stderr).toMatch(reported);
    expect(seen[1]).toBe(change(seen[0] ?? ""));
    expect(stdout).toBe("Mended\n");
  });
});

describe("an editor that fails", () => {
  test("sends nothing and leaves nothing behind", async () => {
    const { cal } = editing([1], []);
    expect((await expectExitCode(cal("events edit 103"), 130)).stderr).toBe("cal: the editor ended with exit code 1; nothing was sent\n");
    expect(readdirSync(`${cal.folder}/state`).filter((name) => name.startsWith("edit-"))).toEqual([]);
  });

  test("keeps what had been written", async () => {
    const edit = async (file: string) => {
      writeFileSync(file, "title: Half\n");
      return 1;
    };
    const { stderr } = await expectExitCode(
      createSession({ prompt: createScriptedPrompt(), edit, env: { NO_COLOR: "1" } })("events edit 103"),
      130,
    );
    expect(readFileSync(savedTextMessage.exec(stderr)?.[2] ?? "", "utf8")).toBe("title: Half\n");
  });
});

test("a line that was taken out is reported, for it changes nothing", async () => {
  const { cal } = editing([(text) => text.replace(/^website: .*\n/m, "")], []);
  const { stderr } = await expectExitCode(cal("events edit 103"), 0);
  expect(stderr).toMatch(/^without a line in the file, so not changed: website\nnothing to change/);
});

describe("a description that such a site only shows", () => {
  const typo: Change = (text) => text.replace("The house trio and a guest", "The house quartet & a guest");

  test("is sent when it was changed there and the text is saved once more", async () => {
    const { cal, user, seen } = editing([typo, (text) => text], [true, true], await openRenderingSite());
    const { stderr } = await expectExitCode(cal("events edit 103"), 0);
    expect(stderr).toContain('description was changed in a comment, and comments ("#") are not sent (the "#" is removed now');
    expect(seen[0]).toContain("\n#   <p>The house trio and a guest. <strong>Two sets</strong>, one break.</p>\n");
    expect(seen[1]).toContain("\ndescription: |-\n  <p>The house quartet & a guest. <strong>Two sets</strong>, one break.</p>\n");
    expect(user.transcript).toEqual(["Edit it again?", "Send this change?"]);
    expect((await json(cal, "events get 103"))["description"]).toContain("quartet");
  });

  test("is stored without its # where the user gives up, in a file that can be sent", async () => {
    const { cal } = editing([typo], [false], await openRenderingSite());
    const { stderr } = await expectExitCode(cal("events edit 103"), 2);
    const [, command = ""] = savedTextMessage.exec(stderr) ?? [];
    await expectExitCode(cal(command.replace(/^cal /, "")), 0);
    expect((await json(cal, "events get 103"))["description"]).toContain("quartet");
  });

  test.each<readonly [string, Change]>([
    ["taken away", (text) => text.replace(/^# description: .*\n(?:# {3}.*\n)*/m, "")],
    ["emptied", (text) => text.replace(/^# {3}.*\n/gm, "")],
    ["left alone", (text) => text],
  ])("and was %s there changes nothing", async (_what, change) => {
    const { cal } = editing([change], [], await openRenderingSite());
    expect((await expectExitCode(cal("events edit 103"), 0)).stderr).toContain("nothing to change");
  });

  test("is taken from where it was written again, whatever is left of the comment", async () => {
    const anew: Change = (text) => `${typo(text)}description: |-\n  <p>Anew</p>\n`;
    const { cal } = editing([anew], [true], await openRenderingSite());
    await expectExitCode(cal("events edit 103"), 0);
    expect((await json(cal, "events get 103"))["description"]).toContain("Anew");
  });
});

test("texts that were not sent are kept for 30 days; they are removed at the next edit, and that is reported", async () => {
  const { cal } = editing([retitled, retitled, (text) => text, (text) => text], [false, false]);
  const state = join(cal.folder, "state");
  const texts = () => readdirSync(state).filter((name) => name.startsWith("edit-"));
  // The session's clock stands at noon of January 15th.
  for (const day of ["2026-12-16T12:01:00Z", "2026-12-16T11:59:00Z"]) {
    const { stderr } = await expectExitCode(cal("events edit 103"), 130);
    const file = savedTextMessage.exec(stderr)?.[2] ?? "";
    for (const path of [file, dirname(file)]) utimesSync(path, new Date(day), new Date(day));
  }
  mkdirSync(join(state, "edit-of-mine"));
  utimesSync(join(state, "edit-of-mine"), 0, 0);
  expect(texts().length).toBe(3);
  const { stderr } = await expectExitCode(cal("events edit 103"), 0);
  expect(stderr).toMatch(/^removed a text that was not sent for 30 days: \S+event\.yaml\nnothing to change: /);
  expect(texts().length).toBe(2);
  expect((await expectExitCode(cal("events edit 103"), 0)).stderr).toMatch(/^nothing to change: /);
});
