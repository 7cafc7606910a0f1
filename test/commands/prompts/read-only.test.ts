// A command that would write in a read-only profile is refused before a question or an editor.

import { expect, test } from "vitest";
import { createSession } from "../../helpers/session.ts";
import { createScriptedPrompt } from "./scripted-prompt.ts";

test.each(["events edit 103", "events delete 103", "events create --title A"])("cal --read-only %s asks nothing first", async (line) => {
  const user = createScriptedPrompt();
  const opened: string[] = [];
  const edit = async (file: string) => {
    opened.push(file);
    return 0;
  };
  const { stdout, stderr, code } = await createSession({ prompt: user, edit })(`${line} --read-only`);
  expect({ stdout, code, heard: user.transcript, opened }).toEqual({ stdout: "", code: 5, heard: [], opened: [] });
  expect(stderr).toMatch(/^(?:\S+cal:\S*|cal:) nothing was sent: this command would write, and this is read-only\n/);
  expect(stderr).toContain("--no-read-only overrides it");
});

test("--dry-run, which writes nothing either, goes on", async () => {
  const user = createScriptedPrompt();
  const { code, stdout } = await createSession({ prompt: user })("events delete 103 --read-only --dry-run");
  expect({ code, heard: user.transcript }).toEqual({ code: 0, heard: [] });
  expect(stdout).toMatch(/^DELETE http/);
});
