// Refs, dates and configuration: whatever they hold, they are read, or refused in words; and a ref never leaves its path.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRef } from "../../src/api/request.ts";
import { parseConfig } from "../../src/config/config-file.ts";
import { settingDefinitions } from "../../src/config/settings.ts";
import { CalError } from "../../src/errors.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";
import { getRunOptions } from "./runs.ts";
import { arbitraryHostileText } from "./words.ts";

const server = await startRequestRecorder();
const cal = createSession({
  env: { CAL_SANDBOX: "0", CAL_TOKEN: "t", CAL_RETRIES: "0", HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
});

/** What the work gives, or undefined where it was refused with this kind of error; any other error fails the test. */
function refusedOr<T>(kind: CalError["kind"], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof CalError && error.kind === kind) return undefined;
    throw error;
  }
}

test("a text is an id, a slug or a name, or no ref at all", () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.constantFrom("", "id:", "slug:", "name:"), arbitraryHostileText).map((parts) => parts.join("")),
      (text) => {
        const ref = refusedOr("usage", () => parseRef(text));
        if (ref?.by === "id") expect(ref.id).toMatch(/^\d+$/);
        if (ref?.by === "slug") expect(ref.slug).toMatch(/^[^/]+$/s);
        if (ref?.by === "name") expect(ref.name).not.toBe("");
      },
    ),
    getRunOptions(2000),
  );
});

test("a ref asks for one record below its resource, or for nothing", async () => {
  const path = /^GET \/wp-json\/calendar\/events\/v1\/venues(?:\/\d+|\/by-slug\/[^/?#\s]+|\?(?:[^?#\s]*))$/;
  await fc.assert(
    fc.asyncProperty(
      arbitraryHostileText.filter((text) => !text.startsWith("-")),
      async (text) => {
        server.receivedRequests.length = 0;
        const { code } = await cal.runArgs(["--base-url", server.url, "venues", "get", text]);
        expect({ code, strange: server.receivedRequests.filter((line) => !path.test(line)) }).toEqual({
          code: server.receivedRequests.length === 0 ? 2 : expect.toBeOneOf([0, 3]),
          strange: [],
        });
        expect(server.receivedRequests.some((line) => /\/\.{1,2}(?:\/|$)/.test(line))).toBe(false);
      },
    ),
    getRunOptions(200),
  );
}, 300_000);

test("any text as a date gets its meaning or a refusal", async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryHostileText.filter((text) => !text.startsWith("-")),
      async (text) => {
        const { code, stderr } = await cal.runArgs(["date", text]);
        expect({ text, code, isReported: code === 0 || /^cal: .+/.test(stderr) }).toEqual({
          text,
          code: expect.toBeOneOf([0, 2]),
          isReported: true,
        });
      },
    ),
    getRunOptions(300),
  );
}, 300_000);

const setting = fc.oneof(arbitraryHostileText, fc.integer(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
const profile = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.dictionary(fc.constantFrom(...settingDefinitions.map(({ name }) => name), "__proto__", "later"), setting, { maxKeys: 5 }),
  },
  { weight: 1, arbitrary: setting },
);
const config = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record(
        {
          version: fc.oneof({ weight: 9, arbitrary: fc.constant(1 as unknown) }, { weight: 1, arbitrary: setting }),
          current: fc.constantFrom("a", "b", 7),
          profiles: fc.dictionary(fc.constantFrom("a", "b", "__proto__"), profile),
        },
        { requiredKeys: [] },
      )
      .map((data) => JSON.stringify(data)),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: arbitraryHostileText },
);

test("a config file is read whole or refused whole", () => {
  fc.assert(
    fc.property(config, (text) => {
      const data = refusedOr("local", () => parseConfig(text, "/c.json"));
      if (data === undefined) return;
      expect(data.version).toBe(1);
      for (const stored of Object.values(data.profiles)) expect(stored).toBeTypeOf("object");
    }),
    getRunOptions(1000),
  );
});

test("under any config file a command works, or says what is wrong with it", async () => {
  const folder = join(cal.folder, "config");
  mkdirSync(folder, { recursive: true });
  const lines = [
    "config list",
    "config list --show-origin --json",
    "profile list",
    "profile show a",
    "date today",
    "events list",
    "auth status",
    "config get base_url",
    "-p b config set tz UTC",
  ];
  await fc.assert(
    fc.asyncProperty(config, fc.constantFrom(...lines), async (text, line) => {
      writeFileSync(join(folder, "config.json"), text);
      const { code, stderr } = await cal(line);
      expect({ text, line, stderr: /internal|^\s+at /m.test(stderr), code }).toEqual({
        text,
        line,
        stderr: false,
        code: expect.toBeOneOf([0, 2, 3, 4, 7, 10]),
      });
      expect(code === 0 || stderr !== "").toBe(true);
    }),
    getRunOptions(200),
  );
}, 300_000);
