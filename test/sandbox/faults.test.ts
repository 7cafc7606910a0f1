// The flags of `cal sandbox serve` that let a client be tested: faults and the lifetime of tokens.

import { describe, expect, test } from "vitest";
import { parseFaults, parseTokenLifetime } from "../../src/sandbox/faults.ts";
import { createSession } from "../helpers/session.ts";
import { callApi, fetchApiJson, startTestSandbox } from "./client.ts";

describe("faults", () => {
  test.each([
    ["503", [503, 503, 503, 503, 503]],
    ["429 GET", [429, 429, 429, 201, 429]],
    ["500 POST", [200, 200, 200, 500, 200]],
    ["404 /tags", [200, 404, 404, 404, 200]],
    ["503 GET /tags x1", [200, 503, 200, 201, 200]],
    ["503 x2", [503, 503, 200, 201, 200]],
  ])("%s", async (text, expected) => {
    const sandbox = await startTestSandbox({ injectFault: parseFaults([text]) });
    const paths = ["events", "tags", "tags/12"];
    const statuses: number[] = [];
    for (const path of paths) statuses.push((await callApi(sandbox, path)).status);
    statuses.push((await fetchApiJson(sandbox, "tags", { json: { name: "new" } })).status);
    statuses.push((await callApi(sandbox, "venues")).status);
    expect(statuses).toEqual(expected);
  });

  test("the first one that matches and is not used up counts", async () => {
    const sandbox = await startTestSandbox({ injectFault: parseFaults(["503 GET x1", "429 /tags x1", "500 GET"]) });
    const statuses: number[] = [];
    for (const path of ["tags", "tags", "tags"]) statuses.push((await callApi(sandbox, path)).status);
    expect(statuses).toEqual([503, 429, 500]);
  });

  test("an answer names its fault; nothing was done", async () => {
    const sandbox = await startTestSandbox({ injectFault: parseFaults(["503 POST x1"]) });
    expect(await fetchApiJson(sandbox, "tags", { json: { name: "new" } })).toEqual({
      status: 503,
      body: { code: "sandbox_fault", message: 'This is the fault "503 POST x1".', data: { status: 503 } },
    });
    expect((await fetchApiJson(sandbox, "tags?search=new&hide_empty=0")).body).toMatchObject({ tags: [] });
  });

  test("cut does the request and answers nothing", async () => {
    const sandbox = await startTestSandbox({ injectFault: parseFaults(["cut POST"]) });
    await expect(fetchApiJson(sandbox, "tags", { json: { name: "new" } })).rejects.toThrow();
    expect((await fetchApiJson(sandbox, "tags?search=new&hide_empty=0")).body).toMatchObject({ tags: [{ name: "new" }] });
  });

  test("a duration delays the answer", async () => {
    const sandbox = await startTestSandbox({ injectFault: parseFaults(["60ms GET /tags"]) });
    const started = performance.now();
    expect((await callApi(sandbox, "tags")).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(55);
  });

  test.each(["", "200", "600", "post", "503 post", "503 events", "503 x", "503 POST /events x2 x3", "5", "5h"])(
    "%j is refused",
    async (text) => {
      const { code, stderr } = await createSession({})(["sandbox", "serve", "--fault", `'${text}'`].join(" "));
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `cal: --fault takes a status from 400 to 599, cut or a duration, and then a method, a path and a count, not ${JSON.stringify(text)}
hint: --fault "503 POST /events x2" answers the first two POSTs to /events with 503
`,
      });
    },
  );
});

describe("the lifetime of tokens", () => {
  test.each([
    ["60s", 60],
    ["5m", 300],
    ["2h", 7200],
    ["3000ms", 3],
  ])("%s is %i s", (text, seconds) => {
    expect(parseTokenLifetime(text)).toBe(seconds);
  });

  test.each(["0s", "60", "", "500ms", "1d"])("%j is refused", async (text) => {
    const { code, stderr } = await createSession({})(`sandbox serve --token-lifetime '${text}'`);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `cal: --token-lifetime takes a duration such as 60s or 5m, not ${JSON.stringify(text)}\n`,
    });
  });
});
