// Whatever a server answers: every command ends in a known way, within its time, and prints nothing broken.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { resources } from "../../src/model/resources.ts";
import { createSession } from "../helpers/session.ts";
import { getRunOptions } from "./runs.ts";
import { arbitraryHostileText } from "./words.ts";

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly end: "end" | "cut";
}

let reply: Reply = { status: 200, headers: {}, body: "[]", end: "end" };
let requested = 0;
const server = createServer((request, response) => {
  requested += 1;
  request.resume();
  answer(response, reply);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** An answer as it is ordered; one whose status allows no body, or whose header Node refuses, goes without. */
function answer(response: ServerResponse, { status, headers, body, end }: Reply): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, ""));
  if (end === "end") response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}

const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wp-json`;
const nowhere = "http://127.0.0.1:9";
const env = {
  CAL_SANDBOX: "0",
  CAL_BASE_URL: base,
  CAL_AUTH_URL: base,
  CAL_TOKEN: "s3cr3t",
  CAL_RETRIES: "1",
  CAL_TIMEOUT: "5s",
  HTTP_PROXY: nowhere,
  HTTPS_PROXY: nowhere,
};
const cal = createSession({ env });

const reads = [
  ...Object.keys(resources).flatMap((name) => [
    `${name} list`,
    `${name} list --all`,
    `${name} list --limit 7 --envelope`,
    `${name} get 7`,
    `${name} get name:x`,
    `${name} get 1 2 3`,
  ]),
  ...[
    "events get jazz",
    "events list --week --venue hall",
    "venues get hall",
    "organizers get ana",
    "agenda",
    "month",
    "week",
    "root",
    "doc",
    "doctor",
  ],
  ...["api GET events", "api GET events --all", "api GET /wp/v2/users/me --show-headers", "auth status --check", "auth refresh"],
];
const writes = [
  ...Object.entries(resources).flatMap(([name, { titleField }]) => [
    `${name} create --${titleField} x`,
    `${name} update 7 --${titleField} y`,
    `${name} delete 7 --yes`,
  ]),
  "events create --title x --start-date '2027-01-10 10:00' --duration 1h --venue hall --category jazz",
  "events update jazz --clear venue --tag new",
  "api POST tags --set name=x",
];
const formats = [
  "",
  " --json",
  " --format ndjson",
  " --format csv",
  " --format yaml",
  " --format ids",
  " --format count",
  " --fields id,title,venue.city",
];
const line = fc.oneof(
  fc.tuple(fc.constantFrom(...reads), fc.constantFrom(...formats)).map((parts) => parts.join("")),
  fc.constantFrom(...writes, ...writes.map((write) => `${write} --json`), `init ${base} --yes`, "__complete zsh events get ''"),
);

const names = [
  "id",
  "title",
  "name",
  "slug",
  "start_date",
  "end_date",
  "timezone",
  "venue",
  "organizer",
  "categories",
  "tags",
  "image",
  "status",
  "url",
  "count",
  "total",
  "code",
  "message",
  "data",
  "params",
  "status",
  "errors",
  "namespaces",
  "routes",
  "paths",
  "authentication",
];
const leaf = fc.oneof(
  arbitraryHostileText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("2027-01-15 10:00:00", "America/New_York", "publish", 7),
);
/** Values that look like records, lists, envelopes and errors, and are none. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names, ...Object.keys(resources), "__proto__", "toString"), tie("value"), { maxKeys: 6 }),
  ),
}));
const record = fc.dictionary(fc.constantFrom(...names), value).map((rest) => ({ id: 7, ...rest }));
const page = fc
  .tuple(fc.constantFrom(...Object.keys(resources)), fc.array(record, { maxLength: 12 }))
  .map(([name, records]) => ({ [name]: records, total: 1e6, total_pages: 1e5 }));
const body = fc.oneof(
  fc.oneof(value, record, page, fc.array(record, { maxLength: 12 })).map((data) => JSON.stringify(data)),
  fc.oneof(
    arbitraryHostileText,
    fc.constantFrom("<html>down</html>", "<br>Notice: x\n[]", "[1,", '{"id":7}{"id":8}', "\ufeff[]", '{"id":7,"id":8}', "null"),
  ),
);
const headers = fc.dictionary(
  fc.constantFrom(
    "content-type",
    "x-wp-total",
    "x-wp-totalpages",
    "x-tec-totalpages",
    "retry-after",
    "location",
    "link",
    "date",
    "content-encoding",
    "www-authenticate",
  ),
  fc.oneof(
    arbitraryHostileText.filter((text) => !/^http/.test(text)),
    fc.constantFrom("application/json", "text/html", "0", "99999999999", `${base}/x`, "gzip", "br", '<x>; rel="https://api.w.org/"'),
  ),
);
const anyReply: fc.Arbitrary<Reply> = fc.record({
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 410, 418, 422, 429, 500, 503, 599),
  ),
  headers: fc.oneof(fc.constant({}), headers),
  body,
  end: fc.oneof({ weight: 9, arbitrary: fc.constant("end" as const) }, fc.constant("cut" as const)),
});
const codes = new Set([0, ...Object.values(exitCodes).filter((code) => code !== exitCodes.internal)]);

test("any answer ends in a known way", async () => {
  await fc.assert(
    fc.asyncProperty(line, anyReply, async (entered, input) => {
      reply = input;
      requested = 0;
      const { stdout, stderr, code } = await cal(entered);
      const faults = [
        ...(codes.has(code) ? [] : [`exit ${code}`]),
        ...(/^\s+at .+:\d+|internal error|TypeError|RangeError/m.test(stderr) ? ["a stack trace"] : []),
        ...(code !== 0 && code !== 9 && stdout + stderr === "" ? ["no message"] : []),
        ...(requested > 300 ? [`${requested} requests`] : []),
        ...((stdout + stderr).includes("s3cr3t") ? ["the token"] : []),
        ...(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(stderr) ? ["control characters on stderr"] : []),
      ];
      expect(faults, `cal ${entered}\n${JSON.stringify(input)}\n${code}\n${stdout}\n${stderr}`).toEqual([]);
      if (code === 0 && entered.endsWith(" --json")) JSON.parse(stdout);
    }),
    getRunOptions(600),
  );
}, 900_000);
