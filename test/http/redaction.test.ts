// Secrets are redacted in messages and logs; ordinary words stay, also where one of them is a password.

import { describe, expect, test } from "vitest";
import { extractSecrets, logRequests, redactSecrets } from "../../src/http/transport.ts";

test.each<readonly [secrets: readonly string[], text: string, redacted: string]>([
  [[], "nothing is known", "nothing is known"],
  [[""], "an empty one is none", "an empty one is none"],
  [["s3cr3t-t0k3n"], "Invalid token s3cr3t-t0k3n.", "Invalid token ***."],
  [["s3cr3t-t0k3n"], "xs3cr3t-t0k3nx twice: s3cr3t-t0k3n", "x***x twice: ***"],
  // Short, or a word: only where it stands alone.
  [["a"], "Password a is wrong for admin, at all", "Password *** is wrong for admin, at all"],
  [["events"], 'bad password "events": prevents, events2, eventsé', 'bad password "***": prevents, events2, eventsé'],
  [["é1"], "é1 né1 é1n", "*** né1 é1n"],
  [["*"], "* ** a*b", "*** ****** a*b"],
  // One within another, and within what stands for it.
  [["ban", "banana-split"], "banana-split ban", "*** ***"],
  [["s3cr3t-t0k3n", "*"], "s3cr3t-t0k3n", "***"],
  [["a.c(d)+[e]", "^$|\\{}?/"], "a.c(d)+[e] axc(d)+[e] ^$|\\{}?/", "*** axc(d)+[e] ***"],
  [["p@ss w/rd+1"], "password=p%40ss+w%2Frd%2B1&x ?p=p%40ss%20w%2Frd%2B1 p@ss w/rd+1", "password=***&x ?p=*** ***"],
  [["\ud800lone-surrogate"], "nothing breaks", "nothing breaks"],
])("%j in %j", (secrets, text, redacted) => {
  expect(redactSecrets(text, secrets)).toBe(redacted);
});

test.each([
  ["Bearer abc.def", ["abc.def"]],
  ["abc", ["abc"]],
  [`Basic ${Buffer.from("ann:s3:cret").toString("base64")}`, [Buffer.from("ann:s3:cret").toString("base64"), "s3:cret"]],
])("the secrets in the header %j", (value, secrets) => {
  expect(extractSecrets(value)).toEqual(secrets);
});

describe("--debug", () => {
  /** The log of an exchange that is answered with these headers, or that fails. */
  async function readLog(token: string, url: string, answer: Readonly<Record<string, string>> | Error): Promise<string> {
    const lines: string[] = [];
    const send = async () => (answer instanceof Error ? Promise.reject(answer) : { status: 200, headers: answer, body: Buffer.from("{}") });
    const write = async (text: string) => void lines.push(text);
    const request = { method: "POST", url, headers: { authorization: `Bearer ${token}`, accept: "*/*" }, body: `token=${token}` };
    await logRequests(send, { now: () => 0 }, write)(request).catch(() => undefined);
    return lines.join("\n");
  }

  test("short secrets are redacted in headers and parameters that are known for them", async () => {
    const headers = {
      "set-cookie": "a",
      "x-auth-token": "a",
      location: "https://x.test/?token=a&code=a&client_secret=a&password=a&page=a",
      etag: "a",
    };
    expect(await readLog("a", "https://x.test/a?access_token=a&search=a", headers)).toBe(
      [
        "> POST https://x.test/a?access_token=***&search=a, 7 bytes",
        ">   authorization: ***",
        ">   accept: */*",
        "< 200 in 0 ms, 2 bytes",
        "<   set-cookie: ***",
        "<   x-auth-token: ***",
        "<   location: https://x.test/?token=***&code=***&client_secret=***&password=***&page=a",
        "<   etag: a",
      ].join("\n"),
    );
  });

  test("a login that the server repeats is redacted everywhere; a word stays readable", async () => {
    const repeated = (token: string) => ({ "x-debug": `login=${token}`, "www-authenticate": `Bearer error="${token} is old"` });
    expect(await readLog("s3cr3t-t0k3n", "https://x.test/s3cr3t-t0k3n", repeated("s3cr3t-t0k3n"))).not.toContain("s3cr3t");
    expect(await readLog("s3cr3t-t0k3n", "https://x.test/", new Error("no s3cr3t-t0k3n"))).toContain("no answer in 0 ms: no ***");
    expect(await readLog("events", "https://x.test/events", { link: "<https://x.test/events?page=2>" })).toContain(
      "<https://x.test/events?page=2>",
    );
  });
});
