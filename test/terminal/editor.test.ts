// An editor that is not there: what is proposed is another one.

import { expect, test } from "vitest";
import { openEditor } from "../../src/terminal/programs.ts";

test.runIf(process.platform !== "win32").each([
  ["/nowhere/nano -w", "export EDITOR=vi"],
  ["/nowhere/emacs", "export EDITOR=nano"],
])("%s is not proposed again", async (editor, proposed) => {
  await expect(openEditor(editor, "text.yaml", process.platform)).rejects.toMatchObject({
    kind: "local",
    details: { hint: { text: "name another one in VISUAL or EDITOR", command: proposed } },
  });
});
