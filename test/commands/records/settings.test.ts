// Settings with a wrong value: what a record command reports about them.

import { expect, test } from "vitest";
import { createSession } from "../../helpers/session.ts";

test.each([
  [
    "tags list",
    { CAL_SANDBOX_HABITS: "x" },
    "cal: CAL_SANDBOX_HABITS is neither generic nor the-events-calendar\nhint: unset CAL_SANDBOX_HABITS\n",
  ],
  [
    "tags list",
    { CAL_TIMEOUT: "3x", CAL_RETRIES: "many" },
    'cal: CAL_TIMEOUT: "3x" is not a duration such as 30s or 2m\ncal: CAL_RETRIES: "many" is not a whole number\nhint: unset CAL_TIMEOUT CAL_RETRIES\nhint: or: cal help environment\n',
  ],
  [
    "tags list --orderby nope",
    { CAL_TIMEOUT: "3x" },
    expect.stringMatching(
      /orderby.*\ncal: CAL_TIMEOUT: "3x" is not a duration such as 30s or 2m \(unset CAL_TIMEOUT; or: .*\)\nhint: see the flags: cal tags list --help\n$/,
    ),
  ],
  ["tags list --timeout 3x", {}, 'cal: --timeout: "3x" is not a duration such as 30s or 2m\nhint: see the flags: cal tags list --help\n'],
] as const)("cal %s %o", async (line, env, stderr) => {
  expect(await createSession({ env })(line)).toEqual({ code: 2, stdout: "", stderr });
});
