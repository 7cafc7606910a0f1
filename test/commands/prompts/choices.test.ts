// Names that several records have, and what a delete shows before it is confirmed.

import { describe, expect, test } from "vitest";
import { createSession, expectExitCode } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

const meetings = [
  "Which event?",
  "  118 Town Meeting (2026-11-16 19:00:00, town-meeting)",
  "  119 Town Meeting (2026-12-16 19:00:00, town-meeting-2)",
  "  120 Town Meeting (2027-01-17 19:00:00, town-meeting-3)",
  "  121 Town Meeting (2027-02-14 19:00:00, town-meeting-4)",
  "  122 Town Meeting (2027-03-16 19:00:00, town-meeting-5)",
].join("\n");

describe("a name of several records", () => {
  test.each(["get", "update --featured", "delete --yes", "open -n", "clone"])("is chosen from once: %s", async (line) => {
    const user = createScriptedPrompt("120");
    const [verb, ...flags] = line.split(" ");
    await expectExitCode(createSession({ prompt: user })(`events ${verb} 'name:town meeting' ${flags.join(" ")}`), 0);
    expect(user.transcript).toEqual([meetings]);
  });

  test("no prompt is shown among many refs", async () => {
    const { stderr } = await expectExitCode(createSession({ prompt: createScriptedPrompt() })("events get 'name:Town Meeting' 103"), 8);
    expect(stderr).toBe("");
  });

  test("is chosen from where it is linked to", async () => {
    const user = createScriptedPrompt();
    const cal = createSession({ prompt: user });
    for (const city of ["Rome", "Oslo"]) await expectExitCode(cal(`venues create --venue Doubled --city ${city}`), 0);
    const ids = (await cal("venues list --search Doubled --format ids")).stdout.trim().split("\n");
    user.answers.push(ids[1] ?? "");
    const { stdout } = await expectExitCode(cal("events update 103 --venue name:doubled --json"), 0);
    expect(JSON.parse(stdout)).toMatchObject({ venue: { id: Number(ids[1]) } });
    expect(user.transcript).toEqual([`Which venue?\n  ${ids[0]} Doubled (doubled-2)\n  ${ids[1]} Doubled (doubled)`]);
    const found = await expectExitCode(createSession({ env: envOf(cal.folder) })("events list --venue name:doubled --all-dates"), 2);
    expect(found.stderr).toContain(`name:"doubled" is several: ${ids[0]} "Doubled" (doubled-2), ${ids[1]} "Doubled" (doubled)`);
  });
});

function envOf(folder: string) {
  return { CAL_CONFIG_DIR: `${folder}/config`, CAL_STATE_DIR: `${folder}/state`, CAL_CACHE_DIR: `${folder}/cache` };
}

describe("delete", () => {
  test("shows the record, and No is exit 130", async () => {
    const user = createScriptedPrompt(false);
    const cal = createSession({ prompt: user, env: { NO_COLOR: "1" } });
    expect(await cal("events delete 103")).toEqual({ code: 130, stdout: "", stderr: "cal: nothing was deleted\n" });
    expect(user.transcript).toEqual([
      expect.stringMatching(/^Delete event 103 "Jazz Night" 2027-01-16 20:00 http:\S+? It does not go to a trash\.$/),
    ]);
    await expectExitCode(cal("events get 103"), 0);
  });

  test("reports events by their start, with the zone where it is another one", async () => {
    const user = createScriptedPrompt(false);
    await expectExitCode(createSession({ prompt: user })("events delete 150 137 99999"), 130);
    expect(user.transcript[0]?.replace(/ http:\S+/g, "")).toBe(
      'Delete these 2 events?\n  event 150 "Online Round Table" 2027-01-20 16:00 UTC\n  event 137 "Spring Fair" 2027-05-15 all day\n  event 99999 (there is none)\nThey do not go to a trash.',
    );
  });

  test("counts only what is there", async () => {
    const user = createScriptedPrompt(false, false);
    const cal = createSession({ prompt: user });
    await expectExitCode(cal("tags delete 12 999"), 130);
    await expectExitCode(cal("tags delete 998 999"), 130);
    expect(user.transcript.map((question) => question.split("\n")[0])).toEqual([
      "Delete this tag?",
      "None of these 2 tags was found. Delete them all the same?",
    ]);
  });

  test("shows every one of many, and what is not there", async () => {
    const user = createScriptedPrompt(true);
    const { stdout } = await expectExitCode(createSession({ prompt: user })("tags delete 12 17 999 --format count"), 8);
    expect(stdout).toBe("2\n");
    expect(user.transcript[0]?.replace(/ http:\S+/g, "")).toBe(
      'Delete these 2 tags?\n  tag 12 "free" (26 events have it)\n  tag 17 "late-night" (12 events have it)\n  tag 999 (there is none)\nThey do not go to a trash.',
    );
  });

  test("reports the trash where there is one", async () => {
    const user = createScriptedPrompt(true);
    await expectExitCode(createSession({ prompt: user, env: { CAL_SANDBOX_HABITS: "the-events-calendar" } })("events delete 103"), 0);
    expect(user.transcript[0]).toMatch(/It goes to the trash\.$/);
  });

  test.each([
    ["contract", "venues delete 21", /^Delete venue 21 "Blue Note Cellar" http:\S+\? \d+ events have it\. It does not go to a trash\.$/],
    [
      "the-events-calendar",
      "venues delete 21",
      /^Delete venue 21 "Blue Note Cellar" http:\S+\? \d+ events have it, and will still show it\. It goes to the trash\.$/,
    ],
    [
      "the-events-calendar",
      "categories delete 3",
      /^Delete category 3 "Jazz" http:\S+\? \d+ events have it\. It does not go to a trash\.$/,
    ],
  ])("with the server profile %s %s reports how many events have it", async (serverProfile, line, question) => {
    const user = createScriptedPrompt(false);
    const cal = createSession({ prompt: user, env: { CAL_SANDBOX_HABITS: serverProfile } });
    await expectExitCode(cal(line), 130);
    expect(user.transcript).toEqual([expect.stringMatching(question)]);
    const [, reported = ""] = /(\d+) events have it/.exec(user.transcript[0] ?? "") ?? [];
    const filter = line.startsWith("venues") ? "--venue 21" : "--category 3";
    expect(
      (
        await expectExitCode(
          createSession({ env: { CAL_SANDBOX_HABITS: serverProfile } })(`events list ${filter} --all-dates --format count`),
          0,
        )
      ).stdout,
    ).toBe(`${reported}\n`);
  });

  test("of a venue that no event has says nothing of events", async () => {
    const user = createScriptedPrompt(false);
    const cal = createSession({ prompt: user });
    const { stdout } = await expectExitCode(cal("venues create --venue Empty --field id"), 0);
    await expectExitCode(cal(`venues delete ${stdout.trim()}`), 130);
    expect(user.transcript[0]).not.toContain("event");
  });

  test("of refs from a pipe answers with the command that asks", async () => {
    const piped = await createSession()("events delete -", "161\n#162\nname:Jazz Night\n");
    expect(piped).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "cal: delete needs a confirmation, and there is no terminal; nothing was deleted\nhint: to be asked first: cal events delete 161 '#162' 'name:Jazz Night'\nhint: without being asked: the same again, with --yes at its end\n",
    });
    const many = await createSession()("events delete -", Array.from({ length: 21 }, (_, at) => `${at + 1}\n`).join(""));
    expect(many.stderr).toContain("\nhint: without being asked: the same again, with --yes at its end\n");
    expect(many.stderr).not.toContain("to be asked first");
    expect((await createSession()("events delete 161")).stderr).toContain("hint: cal events delete 161 --yes\n");
  });
});
