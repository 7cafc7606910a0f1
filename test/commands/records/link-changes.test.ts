// Links that are added to an event and removed from it: what is sent, and what is refused.

import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { createServerSession } from "./server.ts";

const server = await startRequestRecorder();
const event = {
  id: 7,
  title: "T",
  slug: "t",
  status: "draft",
  organizer: [{ id: 6 }, { id: 5 }],
  categories: [{ id: 3, name: "Jazz" }, { id: 2 }],
  tags: [],
};

const kinds = [
  ["generic", "/wp-json/calendar/events/v1", {}],
  ["tec", "/wp-json/tribe/events/v1", { status: "draft", organizer: [6, 5] }],
] as const;

describe.each(kinds)("%s", (kind, ns, carried) => {
  const cal = createServerSession(server.url, kind);

  beforeEach(() => {
    server.reset();
    server.responses.set(`${ns}/events/7`, event);
    server.responses.set(`${ns}/categories`, { categories: [{ id: 20, name: "Holiday Season", slug: "holidays" }], total: 1 });
  });

  const writes = () => server.receivedRequests.filter((line) => !line.startsWith("GET "));

  test.each<readonly [flags: string, body: Readonly<Record<string, unknown>> | undefined]>([
    ["--add-category 'holiday season'", { categories: [3, 2, 20] }],
    ["--add-category 20,3 --add-category 21,20", { categories: [3, 2, 20, 21] }],
    ["--remove-category 3", { categories: [2] }],
    ["--remove-category 2,3", { categories: [] }],
    ["--add-category 20 --remove-category 3", { categories: [2, 20] }],
    ["--add-tag 9 --title New", { title: "New", tags: [9] }],
    ["--add-organizer 8", { organizer: [6, 5, 8] }],
    ["--remove-organizer 6", { organizer: [5] }],
    ["--add-category 3 --title New", { title: "New" }],
    ["--add-category 2,3", undefined],
    ["--remove-category 99 --remove-tag 1", undefined],
  ])("%s", async (flags, body) => {
    const { stderr } = await expectExitCode(cal(`events update 7 ${flags}`), 0);
    const [sent = "", ...more] = writes();
    expect(more).toEqual([]);
    if (body === undefined) {
      expect(sent).toBe("");
      expect(stderr).toMatch(/^nothing to change: event 7/);
    } else
      expect([sent.slice(0, sent.indexOf(" {")), JSON.parse(sent.slice(sent.indexOf(" {")))]).toEqual([
        `PATCH ${ns}/events/7`,
        { ...carried, ...body },
      ]);
  });

  test.each([[undefined], [["Jazz"]]])("links that are answered as %j are not replaced by the new one", async (categories) => {
    server.responses.set(`${ns}/events/7`, { ...event, categories });
    const { stderr } = await expectExitCode(cal("events update 7 --add-category 20"), 2);
    expect(stderr).toContain("none can be added or taken away\nhint: name all that it shall have: --category\n");
    expect(writes()).toEqual([]);
  });

  test.each([
    ["--add-category 1 --category 2", "--add-category and --category exclude each other: --category replaces all categories"],
    ["--remove-tag 1 --clear tags", "--remove-tag and --tag exclude each other: --tag replaces all tags"],
    ["--add-organizer 1 --raw", "--add-organizer needs the record to be read, and --raw does not read it"],
    ["--add-tag 1,2 --remove-tag 2", "--add-tag and --remove-tag both name 2"],
  ])("%s is refused before anything is written", async (flags, why) => {
    expect((await expectExitCode(cal(`events update 7 ${flags}`), 2)).stderr).toContain(why);
    expect(writes()).toEqual([]);
  });
});

describe.each(["contract", "the-events-calendar"])("the sandbox with the server profile %s", (serverProfile) => {
  const cal = createSession({ env: { CAL_SANDBOX_HABITS: serverProfile } });
  const categoriesOf = async (ref: number) => (await cal(`events get ${ref} --field categories.name`)).stdout.trim();

  test("many events get one category more, which is created for them, and lose it again", async () => {
    const [one, two] = [await categoriesOf(103), await categoriesOf(105)];
    await expectExitCode(cal("events update 103 - --add-category 'Holiday Season' --create-missing", "105\n"), 0);
    expect([await categoriesOf(103), await categoriesOf(105)].map((names) => names.includes("Holiday Season"))).toEqual([true, true]);
    await expectExitCode(cal("events update 103 105 --remove-category 'holiday season' --create-missing"), 0);
    expect([await categoriesOf(103), await categoriesOf(105)]).toEqual([one, two]);
    await expectExitCode(cal("events update 103 --remove-category Nowhere --create-missing"), 3);
  });

  test("what changed is reported by name", async () => {
    const { stderr } = await expectExitCode(
      cal("events update 103 --category arts --add-tag free,late-night --venue 'town hall' --clear organizer"),
      0,
    );
    expect(stderr).toContain("\n  venue: Blue Note Cellar (21) -> Town Hall (23)\n");
    expect(stderr).toMatch(
      /\n {2}organizer: .* \(\d+\) -> none\n {2}categories: Jazz \(\d+\) -> Arts \(\d+\)\n {2}tags: late-night \(17\) -> late-night \(17\), free \(12\)\n/,
    );
  });

  test("a dry run shows the whole list", async () => {
    const { stdout } = await expectExitCode(cal("events update 103 --add-tag unheard --create-missing --dry-run --json"), 0);
    const [, update] = JSON.parse(stdout) as readonly { body: { tags: readonly unknown[] } }[];
    expect(update?.body.tags.at(-1)).toBe('(id of the new tag "unheard")');
  });
});
