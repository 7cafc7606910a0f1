// A sandbox in memory for the tests of this folder, a session with it, and all of its data without any filter.

import { afterAll } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/server.ts";
import { fixedNow, type Session, type SessionOptions } from "../../helpers/session.ts";
import { createServerSession } from "./server.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

export interface SandboxSession {
  readonly cal: Session;
  readonly sandbox: Sandbox;
  /** Asks the sandbox without the program: the JSON of the answer. */
  fetchJson(path: string, method?: string, body?: unknown): Promise<JsonRecord>;
}

/** A fresh sandbox with or without the real server's profile. */
export async function openSandboxSession(
  serverProfile: ServerProfileName,
  env: Readonly<Record<string, string>> = {},
  options: Omit<SessionOptions, "env"> = {},
  own: Pick<SandboxOptions, "intercept"> = {},
): Promise<SandboxSession> {
  const day = fixedNow.slice(0, 10);
  const sandbox = await startSandbox({ file: ":memory:", day, now: () => Date.parse(fixedNow), serverProfile, ...own });
  afterAll(() => sandbox.close());
  const password = sandbox.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
  const access: Readonly<Record<string, string>> = serverProfile === "generic" ? { CAL_TOKEN: sandbox.token } : { CAL_PASSWORD: password };
  const cal = createServerSession(sandbox.baseUrl, serverProfile === "generic" ? "generic" : "tec", {
    ...options,
    env: { ...access, ...env },
  });
  const fetchJson = async (path: string, method = "GET", body?: unknown): Promise<JsonRecord> => {
    const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
    const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as JsonRecord;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return { cal, sandbox, fetchJson };
}

/** Every record of a resource, hidden ones too: the ids of a seeded sandbox are known. */
export async function fetchAllEvents({ fetchJson }: SandboxSession): Promise<readonly JsonRecord[]> {
  const rows: JsonRecord[] = [];
  for (let id = 100; ; id++) {
    const row = await fetchJson(`events/${id}`).catch(() => undefined);
    if (row === undefined) return rows;
    rows.push(row);
  }
}
