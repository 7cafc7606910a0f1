// A sandbox in memory for the tests of this folder, a session at it, and its data as it stands, past every filter.
import { afterAll } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/server.ts";
import { fixedNow, type Session } from "../helpers/session.ts";
import { at } from "./server.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface Visited {
  readonly cal: Session;
  readonly sandbox: Sandbox;
  /** Asks the sandbox without the program: the JSON of the answer. */
  ask(path: string, method?: string, body?: unknown): Promise<Row>;
}

/** A fresh sandbox with or without the real server's habits. */
export async function visit(habits: "contract" | "the-events-calendar", env: Readonly<Record<string, string>> = {}): Promise<Visited> {
  const sandbox = await startSandbox({ file: ":memory:", day: fixedNow.slice(0, 10), now: () => Date.parse(fixedNow), habits });
  afterAll(() => sandbox.close());
  const password = sandbox.users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
  const access: Readonly<Record<string, string>> = habits === "contract" ? { CAL_TOKEN: sandbox.token } : { CAL_PASSWORD: password };
  const cal = at(sandbox.baseUrl, habits === "contract" ? "generic" : "tec", { env: { ...access, ...env } });
  const ask = async (path: string, method = "GET", body?: unknown): Promise<Row> => {
    const headers = { authorization: `Bearer ${sandbox.token}`, "content-type": "application/json" };
    const response = await fetch(`${sandbox.baseUrl}/${sandbox.namespace}/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Row;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return { cal, sandbox, ask };
}

/** Every record of a resource, hidden ones too: the ids of a seeded sandbox are known. */
export async function everyEvent({ ask }: Visited): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let id = 100; ; id++) {
    const row = await ask(`events/${id}`).catch(() => undefined);
    if (row === undefined) return rows;
    rows.push(row);
  }
}
