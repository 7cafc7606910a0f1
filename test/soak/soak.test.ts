// Thousands of commands in one process, every third one under a fault: nothing leaks, no promise is forgotten, nothing is written twice,
// and in the end the calendar holds what a model of it holds. 300 commands in `npm test`, 10,000 in `npm run soak`.

import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import type { ResourceName } from "../../src/model/resource.ts";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { createSession, fixedNow, type Session } from "../helpers/session.ts";
import { startFixtureSandbox } from "../sandbox/fixtures.ts";
import { createRandom, type ExpectedRecord, type InjectedFault, injectedFaults, resourceFields } from "./model.ts";

const full = process.env["CAL_SOAK"] === "1";
const count = full ? 10_000 : 300;
const seed = Number(process.env["CAL_SOAK_SEED"] ?? 20_270_115);
const resources = Object.keys(resourceFields) as [ResourceName, ...ResourceName[]];
/** Records of the soak's own that are alive at once: more are deleted before new ones come. */
const crowd = 60;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Megabytes that are still in use after the garbage is gone. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const warnings: string[] = [];
const addWarning = (what: unknown) => warnings.push(String(what));
process.on("warning", addWarning);
process.on("unhandledRejection", addWarning);
afterAll(() => {
  process.off("warning", addWarning);
  process.off("unhandledRejection", addWarning);
});

let posts = 0;
const sandbox = await startFixtureSandbox({
  file: ":memory:",
  day: fixedNow.slice(0, 10),
  now: () => Date.parse(fixedNow),
  log: (line) => (posts += line.startsWith("POST ") ? 1 : 0),
});
afterAll(() => sandbox.close());

const cal = createSession({ env: { CAL_SANDBOX: "0", CAL_BASE_URL: sandbox.baseUrl, CAL_TOKEN: sandbox.token, CAL_RETRIES: "1" } });

/** All records of a resource with their names and texts, sorted, asked without the program. */
async function stateOf({ baseUrl, namespace, token }: Sandbox): Promise<readonly ExpectedRecord[]> {
  const held: ExpectedRecord[] = [];
  for (const resource of resources) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const url = `${baseUrl}/${namespace}/${resource}?per_page=100&page=${page}&hide_empty=0`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      const body = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw new Error(JSON.stringify(body));
      pages = Number(body["total_pages"]);
      const { title, text } = resourceFields[resource];
      for (const record of body[resource] as Record<string, unknown>[])
        held.push({ resource, title: String(record[title]), text: String(record[text] ?? "") });
    }
  }
  return sorted(held);
}

function sorted(held: readonly ExpectedRecord[]): readonly ExpectedRecord[] {
  const key = ({ resource, title, text }: ExpectedRecord) => `${resource} ${title} ${text}`;
  return [...held].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

interface Step {
  readonly argv: readonly string[];
  /** The method of its write; undefined where it only reads. */
  readonly write?: "POST" | "PATCH" | "DELETE";
  /** What it does to the model once the calendar has done it. */
  readonly apply: (own: ExpectedRecord[]) => void;
}

/** The next command, by the dice. */
function stepFor({ pick, chance }: ReturnType<typeof createRandom>, number: number, own: readonly ExpectedRecord[]): Step {
  const nothing = () => undefined;
  const [first, ...others] = own;
  if (first === undefined || (own.length < crowd && chance(0.3))) return creation(pick(resources), number);
  const target = pick([first, ...others]);
  const { resource, title } = target;
  const ref = `name:"${title}"`;
  const text = `https://x.test/${number}`;
  const change: Step = {
    argv: [resource, "update", ref, `--${resourceFields[resource].text}`, text],
    write: "PATCH",
    apply: (held) => void held.splice(held.indexOf(target), 1, { ...target, text }),
  };
  const removal: Step = {
    argv: [resource, "delete", ref, "--yes"],
    write: "DELETE",
    apply: (held) => void held.splice(held.indexOf(target), 1),
  };
  if (chance(0.6)) return chance(own.length >= crowd ? 0.7 : 0.35) ? removal : change;
  return pick<Step>([
    { argv: [resource, "get", ref, "--json"], apply: nothing },
    { argv: [resource, "list", "--limit", "15", "--format", pick(["json", "csv", "table", "ids", "yaml"])], apply: nothing },
    { argv: [resource, "list", "--all", "--format", "count"], apply: nothing },
    { argv: [resource, "update", ref, `--${resourceFields[resource].text}`, "https://never.sent.example/", "--dry-run"], apply: nothing },
    { argv: ["month"], apply: nothing },
  ]);
}

function creation(resource: ResourceName, number: number): Step {
  const record: ExpectedRecord = { resource, title: `Soak ${number}`, text: `https://x.test/${number}` };
  const { title, text } = resourceFields[resource];
  const dates = resource === "events" ? ["--start-date", "2027-02-01 20:00", "--duration", "2h"] : [];
  return {
    argv: [resource, "create", `--${title}`, record.title, `--${text}`, record.text, ...dates],
    write: "POST",
    apply: (held) => void held.push(record),
  };
}

/** Runs one command under a fault or under none, and keeps the model in step; answers with what was wrong. */
async function take(
  program: Session,
  { argv, write, apply }: Step,
  trouble: InjectedFault | undefined,
  method: string,
  own: ExpectedRecord[],
): Promise<readonly string[]> {
  sandbox.faults.clear();
  if (trouble !== undefined) sandbox.faults.add({ ...trouble.fault, method, times: 1 });
  posts = 0;
  const { code, stdout, stderr } = await program.runArgs(argv);
  if (write !== undefined && (code === 0 || (method === write && trouble?.isApplied === true))) apply(own);
  return [
    ...(code === 0 || (code === 7 && trouble !== undefined)
      ? []
      : [`exit ${code}: cal ${argv.join(" ")}\n${JSON.stringify(trouble)}\n${stdout}${stderr}`]),
    ...(posts > 1 ? [`${posts} POSTs: cal ${argv.join(" ")}`] : []),
  ];
}

test(`${count} commands, seed ${seed}`, async () => {
  const chosen = createRandom(seed);
  const seeded = await stateOf(sandbox);
  const own: ExpectedRecord[] = [];
  const heaps: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    const step = stepFor(chosen, number, own);
    const trouble = chosen.chance(1 / 3) ? chosen.pick(injectedFaults) : undefined;
    const method = step.write !== undefined && chosen.chance(0.6) ? step.write : "GET";
    expect(await take(cal, step, trouble, method, own)).toEqual([]);
    if (number % (count / 10) === 0) heaps.push(heap());
  }
  sandbox.faults.clear();
  expect(await stateOf(sandbox)).toEqual(sorted([...seeded, ...own]));
  expect(warnings).toEqual([]);
  // Each command closes what it opened; a few sockets of the sandbox may still be on their way out.
  expect(process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length).toBeLessThan(20);
  // The first tenth has loaded every module and filled every cache.
  const growth = Math.max(...heaps.slice(-3)) - Math.min(...heaps.slice(0, 3));
  if (full) console.info(`heap after each tenth, in MB: ${heaps.map((size) => size.toFixed(1)).join(" ")}`);
  expect(growth).toBeLessThan(full ? 15 : 30);
}, 1_200_000);
