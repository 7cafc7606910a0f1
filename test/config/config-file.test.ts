// The config file on a real disk: what is read, what is written, and what is never overwritten.

import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ConfigData, openConfigFile } from "../../src/config/config-file.ts";
import { createEndedProcess, createHeldLock, formatOwnerName } from "../lock/owners.ts";

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cal-config-"));
  folder = join(root, "deep", "cal");
});
afterEach(() => rm(root, { recursive: true }));

const alone = { sleep: async () => undefined };
const withWork = (data: ConfigData): ConfigData => ({ ...data, profiles: { ...data.profiles, work: { tz: "Europe/Oslo" } } });

async function stored(text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "config.json"), text);
  return join(folder, "config.json");
}

describe("reading", () => {
  it("takes no file as an empty one, and makes none", async () => {
    expect(await openConfigFile(folder, alone).read()).toEqual({ version: 1, profiles: {} });
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    ["{}", { version: 1, profiles: {} }],
    [
      '\uFEFF{"current":"a","profiles":{"a":{"tz":"UTC","later":[1]}},"more":{}}',
      { version: 1, current: "a", profiles: { a: { tz: "UTC", later: [1] } }, more: {} },
    ],
  ])("takes %s", async (text, data) => {
    await stored(text);
    expect(await openConfigFile(folder, alone).read()).toEqual(data);
  });
});

const faults = [
  ["", "it is not valid JSON"],
  ['{"profiles":{"a":{"tz":"hunter2"}}', "it is not valid JSON"],
  ["[]", "it holds no JSON object"],
  ['{"current":1}', '"current" is not text'],
  ['{"profiles":[]}', '"profiles" is not an object'],
  ['{"profiles":{"a":"b"}}', 'profile "a" is not an object'],
] as const;

describe("a file that can't be used", () => {
  it.each(faults)("%j is named, and kept as it is", async (text, why) => {
    const path = await stored(text);
    const file = openConfigFile(folder, alone);
    const problem = {
      kind: "local",
      message: `cannot use the config file ${path}: ${why}`,
      details: { hint: { text: "repair it by hand, or move it away and start again", command: `mv ${path} ${path}.broken` } },
    };
    await expect(file.read()).rejects.toMatchObject(problem);
    await expect(file.update(withWork)).rejects.toMatchObject(problem);
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await readdir(folder)).toEqual(["config.json"]);
  });

  it("of a newer version is stored as it is", async () => {
    const path = await stored('{"version":2}');
    await expect(openConfigFile(folder, alone).update(withWork)).rejects.toMatchObject({
      kind: "local",
      message: `${path} was written by a newer version of cal (version 2, known is 1)`,
    });
    expect(await readFile(path, "utf8")).toBe('{"version":2}');
  });

  it("is reported where it is no file, or its folder can't be made", async () => {
    await mkdir(join(folder, "config.json"), { recursive: true });
    await expect(openConfigFile(folder, alone).read()).rejects.toMatchObject({
      kind: "local",
      message: expect.stringContaining(`read the config file ${folder}`),
    });
    await writeFile(join(root, "flat"), "");
    const below = openConfigFile(join(root, "flat", "cal"), alone);
    await expect(below.update(withWork)).rejects.toMatchObject({
      kind: "local",
      message: expect.stringContaining("cannot write the config file"),
    });
  });
});

describe("writing", () => {
  it("makes folder and file for the owner alone, and leaves nothing else", async () => {
    await openConfigFile(folder, alone).update(withWork);
    const modes = await Promise.all(
      [folder, join(folder, "config.json")].map(async (path) => ((await stat(path)).mode & 0o777).toString(8)),
    );
    expect(modes).toEqual(["700", "600"]);
    expect(await readdir(folder)).toEqual(["config.json"]);
    expect(await readFile(join(folder, "config.json"), "utf8")).toBe(
      '{\n  "version": 1,\n  "profiles": {\n    "work": {\n      "tz": "Europe/Oslo"\n    }\n  }\n}\n',
    );
  });

  it("keeps what this version does not know, and a link to the file", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(root, "dotfile.json"), '{"version":1,"profiles":{"a":{"later":[1]}},"more":{}}');
    await symlink(join(root, "dotfile.json"), join(folder, "config.json"));
    await openConfigFile(folder, alone).update(withWork);
    expect(JSON.parse(await readFile(join(root, "dotfile.json"), "utf8"))).toEqual({
      version: 1,
      profiles: { a: { later: [1] }, work: { tz: "Europe/Oslo" } },
      more: {},
    });
  });

  it("writes nothing where the change throws, and lets the next one in", async () => {
    const path = await stored('{"profiles":{}}');
    const file = openConfigFile(folder, alone);
    const refusing = file.update(() => {
      throw new RangeError("no");
    });
    await expect(refusing).rejects.toThrow("no");
    expect(await readFile(path, "utf8")).toBe('{"profiles":{}}');
    await file.update(withWork);
    expect(await file.read()).toEqual({ version: 1, profiles: { work: { tz: "Europe/Oslo" } } });
  });
});

it("takes away what a process left that was killed while it wrote", async () => {
  await stored('{"profiles":{}}');
  await writeFile(join(folder, "config.json.tmp-0123456789abcdef"), "half");
  await openConfigFile(folder, alone).update(withWork);
  expect(await readdir(folder)).toEqual(["config.json"]);
});

describe("the lock", () => {
  const lock = () => join(folder, "config.json.lock");

  it("of an ended process is taken over", async () => {
    for (const owner of [formatOwnerName(await createEndedProcess()), formatOwnerName(process.pid), ".DS_Store"]) {
      createHeldLock(lock(), owner);
      await openConfigFile(folder, alone).update(withWork);
      expect(await readdir(folder)).toEqual(["config.json"]);
    }
  });

  it("of a running process is waited for, for some seconds, and stays", async () => {
    const owner = formatOwnerName(process.ppid);
    createHeldLock(lock(), owner);
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
    };
    await expect(openConfigFile(folder, { sleep }).update(withWork)).rejects.toMatchObject({
      kind: "local",
      message: expect.stringMatching(new RegExp(`^process ${process.ppid} on .+ holds ${lock()}, `)),
    });
    expect({ enough: waited > 5_000 && waited < 16_000, left: await readdir(lock()) }).toEqual({ enough: true, left: [owner] });
  });
});
