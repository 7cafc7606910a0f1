// A site that can't be reached: the hint names the source of its address.

import { beforeAll, expect, test } from "vitest";
import { createSession } from "../helpers/session.ts";

const closed = "http://127.0.0.1:1/wp-json";
const plain = { CAL_SANDBOX: "0", CAL_TOKEN: "t0k3n", CAL_RETRIES: "0" };
const cal = createSession({ env: plain });

beforeAll(async () => {
  await cal(`profile add work --base-url ${closed}`);
});

test.each([
  [`init ${closed} -p new`, {}, "check the address you typed"],
  [`tags list --base-url ${closed}`, {}, "check the address in --base-url"],
  ["tags list", { CAL_BASE_URL: closed }, "check the address in CAL_BASE_URL"],
  ["tags list", undefined, "check the address: cal config set base_url <url>"],
  ["tags list -p work", undefined, "check the address: cal -p work config set base_url <url>"],
])("cal %s %o", async (line, env, hint) => {
  const typist = env === undefined ? cal : createSession({ env: { ...plain, ...env } });
  const { code, stderr } = await typist(line);
  expect([code, stderr.trimEnd().split("\n").at(-1)]).toEqual([7, `hint: is the server running? ${hint}`]);
});
