// Starts a sandbox in memory and sends requests to it.

import { readFileSync } from "node:fs";
import { afterEach } from "vitest";
import type { Sandbox } from "../../src/sandbox/server.ts";
import { type FixtureOptions, type FixtureSandbox, startFixtureSandbox } from "./fixtures.ts";

/** The day and the time of the sandbox: noon in New York. */
export const day = "2027-03-10";
export const noon = Date.parse("2027-03-10T17:00:00Z");

const open: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

/** A sandbox that is closed after the test. */
export async function startTestSandbox(options: Partial<FixtureOptions> = {}): Promise<FixtureSandbox> {
  const sandbox = await startFixtureSandbox({ file: ":memory:", day, now: () => noon, ...options });
  open.push(sandbox);
  return sandbox;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request; a body makes it a POST. */
export async function sendRequest(url: string, { method, json, form, headers = {} }: RequestOptions = {}): Promise<ReceivedResponse> {
  const body = json === undefined ? form : JSON.stringify(json);
  const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json";
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(body === undefined ? {} : { "content-type": type }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Calls the calendar as its admin, unless other headers are set. */
export async function callApi(sandbox: Sandbox, path: string, ask: RequestOptions = {}): Promise<ReceivedResponse> {
  return sendRequest(`${sandbox.baseUrl}/${sandbox.namespace}/${path}`, { headers: { authorization: `Bearer ${sandbox.token}` }, ...ask });
}

/** The same, as status and parsed body. */
export async function fetchApiJson(
  sandbox: Sandbox,
  path: string,
  ask: RequestOptions = {},
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, text } = await callApi(sandbox, path, ask);
  return { status, body: JSON.parse(text) };
}

/** A part of a JSON value by its path: `at(body, "events", 0, "id")`. */
export function getValueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((held, key) => (typeof held === "object" && held !== null ? Reflect.get(held, key) : undefined), value);
}

/** Basic access of a demo user by name. */
export function createBasicHeader(sandbox: Sandbox, username: string): Readonly<Record<string, string>> {
  const password = sandbox.users.find((user) => user.username === username)?.applicationPassword ?? "";
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** An answer that was recorded from a real server. */
export function readRecordedResponse(
  name: string,
  version: "" | "-6.17.2" | "-edge" = "",
): { readonly status: number; readonly body: unknown } {
  const text = readFileSync(new URL(`../recorded${version}/${name}.http`, import.meta.url), "utf8");
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/);
  return { status: Number(head.split(" ")[1]), body: JSON.parse(rest.join("\n\n")) };
}
