// Writes without an answer: they are journaled as unknown, and a look at the record tells what became of them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { createScriptedPrompt } from "../commands/prompts/scripted-prompt.ts";
import { createServerSession, startTestServer } from "../commands/records/server.ts";
import { expectExitCode, type Session } from "../helpers/session.ts";

/** What the server does with the next write: answers it, does it without an answer, or neither. */
let next: "answer" | "do" | "ignore";
let events: Record<string, unknown>[];
let price: string;
/** Whether the request that restores a price is answered. */
let restores: boolean;

const server = await startTestServer(({ method, path, body, query }) => {
  const [, id] = /\/events\/(\d+)$/.exec(path) ?? [];
  const raw = /tribe_events\/(\d+)$/.exec(path);
  if (raw !== null && method === "GET")
    return {
      body: {
        id: 7,
        title: { raw: events[0]?.["title"] },
        content: { raw: "" },
        excerpt: { raw: "" },
        meta: { _EventCost: price, _EventCurrencySymbol: "€", _EventCurrencyPosition: "prefix" },
      },
    };
  if (method === "GET" && id === undefined) {
    const found = events.filter(({ title }) => String(title).includes(query.get("search") ?? ""));
    return { body: { events: found, total: found.length } };
  }
  const record = events.find((one) => String(one["id"]) === id);
  if (method === "GET") return record === undefined ? { status: 404, body: { code: "rest_no_event", message: "no" } } : { body: record };
  const action = next;
  next = "answer";
  if (action === "ignore") return undefined;
  const values = JSON.parse(body === "" ? "{}" : body) as Record<string, unknown>;
  if (raw !== null) {
    if (!restores) return undefined;
    price = String((values["meta"] as Record<string, unknown>)["_EventCost"]);
    return { body: { id: 7, meta: { _EventCost: price, _EventCurrencySymbol: "€", _EventCurrencyPosition: "prefix" } } };
  }
  if (method === "DELETE") events = events.filter((one) => one !== record);
  else if (record === undefined) events.push({ id: 8, slug: "new", status: "publish", date_utc: "2027-01-15 12:00:00", ...values });
  else {
    // A site that runs The Events Calendar stores the price anew.
    if (values["cost"] !== undefined) price = "rewritten";
    Object.assign(record, values, { cost: record["cost"] });
  }
  return action === "do" ? undefined : { body: record ?? events.at(-1) };
});

let cal: Session;

function begin(kind: "generic" | "tec" = "generic"): void {
  cal = createServerSession(server.url, kind, { env: { CAL_TIMEOUT: "300ms", CAL_RETRIES: "0" } });
}

beforeEach(() => {
  next = "answer";
  price = "10 - 20";
  restores = true;
  events = [
    {
      id: 7,
      title: "Jazz",
      slug: "jazz",
      status: "publish",
      start_date: "2027-02-01 20:00:00",
      end_date: "2027-02-01 22:00:00",
      timezone: "America/New_York",
      cost: "€10 – €20",
    },
  ];
  begin();
});

async function readStatuses(): Promise<readonly unknown[]> {
  const [{ operation = "" } = {}] = JSON.parse((await cal("log --json")).stdout) as { operation?: string }[];
  const { stdout } = await expectExitCode(cal(`log show ${operation} --json`), 0);
  return (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status);
}

const readState = async () => (JSON.parse((await cal("log --json")).stdout) as { state: string }[]).map(({ state }) => state);

describe.each([
  ["events update 7 --title Blues", "do", "done"],
  ["events update 7 --title Blues", "ignore", "failed"],
  ["events delete 7 --yes", "do", "done"],
  ["events delete 7 --yes", "ignore", "failed"],
  ["events create --title New --start-date '2027-03-01 20:00' --duration 1h", "do", "done"],
  ["events create --title New --start-date '2027-03-01 20:00' --duration 1h", "ignore", "failed"],
] as const)("%s, which the server does not answer (%s)", (line, action, status) => {
  test("is unknown, until log show reads the record", async () => {
    next = action;
    await expectExitCode(cal(line), 7);
    expect(await readState()).toEqual(["unknown"]);
    expect(await readStatuses()).toEqual([status]);
    expect(await readState()).toEqual([status]);
  });
});

test("the next operation on the record settles it", async () => {
  next = "do";
  await expectExitCode(cal("events update 7 --title Blues"), 7);
  await expectExitCode(cal("events update 7 --status draft"), 0);
  expect(await readState()).toEqual(["done", "done"]);
});

test("an undo of an unknown change looks first", async () => {
  next = "do";
  await expectExitCode(cal("events update 7 --title Blues"), 7);
  const [{ operation = "" } = {}] = JSON.parse((await cal("log --json")).stdout) as { operation?: string }[];
  await expectExitCode(cal(`undo ${operation} --yes`), 0);
  expect(events[0]).toMatchObject({ title: "Jazz" });
});

test("a price that was not restored is restored by the next operation, before it reads the record", async () => {
  begin("tec");
  restores = false;
  await expectExitCode(cal("events update 7 --title Blues"), 7);
  restores = true;
  expect(price).toBe("rewritten");
  expect(await readState()).toEqual(["unknown"]);
  server.receivedRequests.length = 0;
  await expectExitCode(cal("events update 7 --status draft"), 0);
  expect(price).toBe("10 - 20");
  const [first] = server.receivedRequests.filter((request) => !request.startsWith("GET"));
  expect(first).toContain("POST /wp/v2/tribe_events/7");
  expect(await readState()).toEqual(["done", "done"]);
});

test("undo at a terminal shows the plan, deletions first, and asks once", async () => {
  const prompt = createScriptedPrompt(false);
  cal = createServerSession(server.url, "generic", { prompt });
  await expectExitCode(cal("events create --title New --start-date '2027-03-01 20:00' --duration 1h --yes"), 0);
  const { code } = await cal("undo");
  expect([1, 130]).toContain(code);
  expect(prompt.transcript).toEqual(['Carry this out?\n  delete event 8 "New"\n1 to delete.']);
  expect(events).toHaveLength(2);
  const folder = join(cal.folder, "state", "journal");
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8").includes("undo"))).toEqual([false]);
});
