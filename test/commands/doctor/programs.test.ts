// Which program the shell starts for `cal`: folders of a PATH with this program, its shims and the month printer in every order.

import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkProgramName } from "../../../src/commands/doctor/machine.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "cal-path-")));
afterAll(() => rmSync(root, { recursive: true }));

const program = file("package/bin/cal.js", "// the program");
const own = folder("own");
symlinkSync(program, join(own, "cal"));
symlinkSync(program, join(own, "calctl"));
const shim = folder("shim");
file("shim/cal", '#!/bin/sh\nexec node "$basedir/../lib/node_modules/calctl/bin/cal.js" "$@"\n');
const month = folder("month");
file("month/cal", "\u007fELF");
const wrapper = folder("wrapper");
file("wrapper/cal", `#!/bin/sh\nexec node ${program} "$@"\n`);
const script = folder("script");
file("script/cal", "#!/bin/sh\nexec gcalcli agenda\n");
const plain = folder("plain");
file("plain/cal", "notes about cal", 0o644);
mkdirSync(join(folder("odd"), "cal"));

function folder(name: string): string {
  mkdirSync(join(root, name), { recursive: true });
  return join(root, name);
}

function file(name: string, text: string, mode = 0o755): string {
  folder(join(name, ".."));
  writeFileSync(join(root, name), text);
  chmodSync(join(root, name), mode);
  return join(root, name);
}

const finding = async (...folders: readonly string[]) => {
  const { state, found, advice } = await checkProgramName({ env: { PATH: folders.join(":") }, platform: "linux", program });
  return [state, found.replaceAll(root, "~"), advice?.split(",")[0]];
};

test.for([
  [[], ["ok", "no other cal on PATH", undefined]],
  [
    [plain, join(root, "odd"), join(root, "nowhere")],
    ["ok", "no other cal on PATH", undefined],
  ],
  [[own], ["ok", "cal is this program: ~/own/cal", undefined]],
  [[shim], ["ok", "cal is this program: ~/shim/cal", undefined]],
  [
    [own, own, shim],
    ["ok", "cal is this program: ~/own/cal", undefined],
  ],
  [[wrapper], ["ok", "cal is this program: ~/wrapper/cal", undefined]],
  [
    [script, wrapper],
    ["warning", "cal is another program: ~/script/cal; it hides this program: ~/wrapper/cal", "npm install --global calctl"],
  ],
  [
    [wrapper, script],
    ["ok", "cal is this program: ~/wrapper/cal; it hides ~/script/cal", undefined],
  ],
  [
    [own, script, month],
    ["ok", "cal is this program: ~/own/cal; it hides ~/script/cal, ~/month/cal (probably the month printer)", undefined],
  ],
  [
    [own, month],
    ["ok", "cal is this program: ~/own/cal; it hides ~/month/cal (probably the month printer)", undefined],
  ],
  [
    [month, own],
    [
      "warning",
      "cal is another program, probably the month printer: ~/month/cal; it hides this program: ~/own/cal",
      "use the name that only this program has: calctl",
    ],
  ],
  [
    [month, shim],
    [
      "warning",
      "cal is another program, probably the month printer: ~/month/cal; it hides this program: ~/shim/cal",
      "npm install --global calctl",
    ],
  ],
  [
    [month],
    [
      "warning",
      "cal is another program, probably the month printer: ~/month/cal; this program is not on PATH as cal",
      "npm install --global calctl",
    ],
  ],
] as const)("%j", async ([folders, wanted]) => {
  expect(await finding(...folders)).toEqual(wanted);
});
