// `cal api`, `cal doc` and `cal root`: requests with the profile's login, answered with the server's JSON unchanged.
import { parseTotals } from "../api/reply.ts";
import type { ApiReply, ApiRequest, Query } from "../api/request.ts";
import type { Context, Flags } from "../context.ts";
import { isRecord, parseCount } from "../data-record.ts";
import { usageError } from "../errors.ts";
import { stringifyExact } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import { createPlanReport } from "../output/render.ts";
import { sanitizeLine } from "../text.ts";
import { getTexts, type Handler, type Invocation } from "./command.ts";

import { readData } from "./records/data-option.ts";
import { parseSetJson } from "./records/input.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** `cal api <METHOD> <path>`: sends one request, or with --all one for each page. Refuses whole URLs and paths that leave the site. */
export const api: Handler = async (invocation, context) => {
  const { namespace } = await context.settings();
  const request = await parseRequest(invocation, namespace.value, await readData(invocation, context));
  const client = await context.client();
  const reply = await client.write(request);
  if (reply instanceof PlannedRequest) return createPlanReport([reply]);
  if (invocation.flags["show-headers"] === true) {
    const headers = Object.entries(reply.headers).map(([name, value]) => sanitizeLine(`${name}: ${value}`));
    await context.say([`HTTP ${reply.status}`, ...headers].join("\n"));
  }
  if (invocation.flags["all"] === true) return { kind: "value", value: await fetchAllPages(request, reply, context) };
  const { method, path } = request;
  const done = method === "GET" ? {} : { completedRequest: `${method} ${path} was sent and answered ${reply.status}` };
  return { kind: "value", value: reply.value, ...done };
};

async function parseRequest({ args, flags }: Invocation, namespace: string, data: unknown): Promise<ApiRequest> {
  const problems: string[] = [];
  const method = methods.find((known) => known === args[0]?.toUpperCase());
  if (method === undefined) problems.push(`${args[0]} is not a method; there are ${methods.join(", ")}`);
  const typed = args[1] ?? "";
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(typed)) problems.push("whole URLs are refused: the login belongs to the profile's site only");
  const [bare = ""] = typed.split("?", 1);
  const inline = typed.slice(bare.length + 1);
  const parts = decodePath(bare).split("/");
  if (/[#\\]/.test(typed) || parts.includes(".") || parts.includes("..")) problems.push(`${JSON.stringify(typed)} is not a path`);
  const pairs = [...new URLSearchParams(inline), ...getTexts(flags["query"]).map((text) => parsePair(text, "--query", problems))];
  const body = await parseBody(flags, data, problems);
  if (body !== undefined && method === "GET") problems.push("a GET has no body: use --query for parameters");
  if (flags["all"] === true && method !== "GET") problems.push("--all needs GET");
  if (problems.length > 0 || method === undefined) throw usageError(problems, { command: "cal api GET events --query per_page=5" });
  const path = bare.startsWith("/") ? bare : `/${namespace}/${bare}`.replace(/\/$/, "");
  return {
    method,
    path: encodeURI(path.replace(/\p{Surrogate}/gu, "\ufffd")).replaceAll("%25", "%"),
    query: pairs,
    ...(body === undefined ? {} : { body }),
  };
}

async function parseBody(flags: Flags, data: unknown, problems: string[]): Promise<unknown> {
  const set = getTexts(flags["set"]).map((text) => parsePair(text, "--set", problems));
  const json: [string, unknown][] = [];
  for (const [name, text] of getTexts(flags["set-json"]).map((pair) => parsePair(pair, "--set-json", problems)))
    json.push([name, await parseSetJson(name, text, problems)]);
  if (set.length + json.length === 0) return data;
  if (data !== undefined && !isRecord(data)) problems.push("--set and --set-json need --data to be an object");
  return { ...(isRecord(data) ? data : {}), ...Object.fromEntries([...set, ...json]) };
}

function parsePair(text: string, flag: string, problems: string[]): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) problems.push(`${flag} takes name=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** All records of a list of any resource: the only array of each answer. An empty page ends the list, and so does one that repeats the page before it. */
async function fetchAllPages(request: ApiRequest, first: ApiReply, context: Context): Promise<unknown> {
  const client = await context.client();
  const items = [...getItems(first.value)];
  const { totalPages: pages = 1 } = parseTotals(first);
  const from = parseCount(request.query.find(([name]) => name === "page")?.[1]) ?? 1;
  const others = async function* () {
    let before = stringifyExact(items);
    for (let page = from + 1; page <= pages; page++) {
      const query: Query = [...request.query.filter(([name]) => name !== "page"), ["page", String(page)]];
      const records = getItems((await client.send({ ...request, query })).value);
      const text = stringifyExact(records);
      if (records.length === 0 || text === before) return;
      before = text;
      yield records;
    }
  };
  for await (const page of context.progress.trackItems("pages", others(), () => [1, pages - from])) items.push(...page);
  return items;
}

function getItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const lists = isRecord(value) ? Object.values(value).filter(Array.isArray) : [];
  const [list] = lists;
  if (list === undefined || lists.length > 1) throw usageError("--all is for lists, and this answer is not a list", "leave --all out");
  return list;
}

/** `cal doc`: GET {ns}/doc (section 4.1), what the server documents of itself. */
export const doc: Handler = async (_invocation, context) => {
  const { namespace } = await context.settings();
  const client = await context.client();
  const { value } = await client.send({ method: "GET", path: `/${namespace.value}/doc`, query: [] });
  return { kind: "value", value };
};

/** `cal root`: GET {ns} (section 4.1), the index of the namespace with its routes. */
export const root: Handler = async (invocation, context) => {
  const { namespace } = await context.settings();
  const { context: scope, "root-namespace": described } = invocation.flags;
  const query = [
    ...(described === undefined ? [] : [["namespace", String(described)] as const]),
    ...(scope === undefined ? [] : [["context", String(scope)] as const]),
  ];
  const client = await context.client();
  const { value } = await client.send({ method: "GET", path: `/${namespace.value}`, query });
  return { kind: "value", value };
};
