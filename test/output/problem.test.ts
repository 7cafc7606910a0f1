// Errors as text and as JSON.

import { expect, test } from "vitest";
import { CalError, usageError } from "../../src/errors.ts";
import { formatErrorJson, formatErrorText } from "../../src/output/message.ts";
import { createStyle, plainStyle } from "../../src/terminal/style.ts";

const full = new CalError("not-found", "no event 9", {
  code: "rest-event-not-found",
  status: 404,
  hint: "cal events list",
  request: { method: "GET", path: "/calendar/events/v1/events/9" },
  server: { message: "gone", id: 9007199254740993n },
  cause: new Error("not told"),
});

test.each([
  [new CalError("internal", "it broke"), "cal: it broke\n"],
  [full, "cal: no event 9\nhint: cal events list\n"],
  [usageError(["--a is missing", "--b is wrong"], "try\nthis"), "cal: --a is missing\ncal: --b is wrong\nhint: try\nhint: this\n"],
  [new CalError("rejected", "bad \u001b]0;x\u0007\u001b[2Jti\rtle\u202e"), "cal: bad ti tle\n"],
])("%s as text", (error, text) => {
  expect(formatErrorText(error, plainStyle)).toEqual(text);
});

test("colour marks the first word alone", async () => {
  expect(formatErrorText(usageError("no", "yes"), await createStyle({ color: true }))).toEqual(
    "\u001b[31mcal:\u001b[39m no\n\u001b[36mhint:\u001b[39m yes\n",
  );
});

test.each([
  [new CalError("internal", "it\nbroke"), '{"error":{"code":"internal","message":"it\\nbroke"}}\n'],
  [
    full,
    '{"error":{"code":"rest-event-not-found","message":"no event 9","status":404,"hint":"cal events list","request":{"method":"GET","path":"/calendar/events/v1/events/9"},"server":{"message":"gone","id":9007199254740993}}}\n',
  ],
])("%s as JSON", (error, text) => {
  expect(formatErrorJson(error)).toEqual(text);
});
