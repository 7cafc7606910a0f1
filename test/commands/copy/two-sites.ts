// Two sandboxes for one test, and a session whose profile `live` is the second one.
import { join } from "node:path";
import { afterAll } from "vitest";
import { resources } from "../../../src/model/resources.ts";
import { type ServerProfileName, serverProfiles } from "../../../src/model/server-profiles.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../src/sandbox/server.ts";
import { type CommandResult, createSession, expectExitCode, fixedNow, type Session, type SessionOptions } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";
import { createServerSession } from "../records/server.ts";

export const kinds: readonly ServerProfileName[] = ["generic", "the-events-calendar"];

export class TwoSites {
  readonly cal: Session;
  readonly source: Sandbox;
  readonly target: Sandbox;
  /** A session with the target alone, and the same folders. */
  readonly live: Session;

  constructor(cal: Session, source: Sandbox, target: Sandbox, live: Session) {
    this.cal = cal;
    this.source = source;
    this.target = target;
    this.live = live;
  }

  /** Copies, and tells what became of the records. */
  async copy(line: string, code = 0): Promise<CommandResult & { readonly fates: readonly string[] }> {
    const result = await expectExitCode(this.cal(`${line} --to live --yes --json`), code);
    const fates = result.stdout === "" ? [] : (JSON.parse(result.stdout) as readonly JsonRecord[]);
    return { ...result, fates: fates.map(({ op, resource, status, ok }) => [op ?? "none", resource, status ?? ok].join(" ")) };
  }

  async read(cal: Session, line: string): Promise<readonly JsonRecord[]> {
    return JSON.parse((await expectExitCode(cal(`${line} --json`), 0)).stdout) as readonly JsonRecord[];
  }
}

function getAccess({ serverProfile, token, users }: Sandbox, prefix: "CAL_" | "CAL_TO_"): Readonly<Record<string, string>> {
  const password = users.find(({ username }) => username === "admin")?.applicationPassword ?? "";
  return serverProfile === "generic" ? { [`${prefix}TOKEN`]: token } : { [`${prefix}USERNAME`]: "admin", [`${prefix}PASSWORD`]: password };
}

/** A session with the profiles `staging`, a generic site, and `live`, an empty site that runs The Events Calendar; each has its stored login. */
export async function openTwoProfiles(
  options: Omit<SessionOptions, "env"> & { readonly env: Readonly<Record<string, string>> },
): Promise<Session> {
  const [staging, live] = await Promise.all(kinds.map((kind) => openSandbox(kind)));
  if (staging === undefined || live === undefined) throw new Error("two sandboxes were expected");
  await deleteEverything(live);
  const { clientId, clientSecret } = staging.application;
  const cal = createSession({ ...options, env: { ...options.env, CAL_SANDBOX: "0", CAL_CLIENT_SECRET: clientSecret } });
  const login = "--username admin --password-stdin --insecure-storage --quiet";
  await expectExitCode(cal(`profile add staging --base-url ${staging.baseUrl} --auth-url ${staging.authUrl} --client-id ${clientId}`), 0);
  await expectExitCode(cal(`profile add live --base-url ${live.baseUrl} --namespace ${live.namespace}`), 0);
  await expectExitCode(cal(`-p staging auth login --method password ${login}`, "admin-demo"), 0);
  const password = getAccess(live, "CAL_")["CAL_PASSWORD"];
  await expectExitCode(cal(`-p live auth login --method application-password ${login}`, password), 0);
  return cal;
}

async function openSandbox(serverProfile: ServerProfileName): Promise<Sandbox> {
  const sandbox = await startSandbox({ file: ":memory:", day: fixedNow.slice(0, 10), now: () => Date.parse(fixedNow), serverProfile });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** The records of the target are deleted where `emptiesTarget`. `own` is for the source. */
export async function openTwoSites(
  from: ServerProfileName,
  to: ServerProfileName,
  emptiesTarget = true,
  own: Pick<SandboxOptions, "intercept"> = {},
): Promise<TwoSites> {
  const target = await openSandbox(to);
  const { cal, sandbox: source } = await openSandboxSession(from, getAccess(target, "CAL_TO_"), {}, own);
  const folders = { CAL_CONFIG_DIR: join(cal.folder, "config"), CAL_STATE_DIR: join(cal.folder, "state"), CAL_NAMESPACE: target.namespace };
  const live = createServerSession(target.baseUrl, to === "generic" ? "generic" : "tec", {
    env: { ...getAccess(target, "CAL_"), ...folders },
  });
  await expectExitCode(cal(`profile add staging --base-url ${source.baseUrl} --namespace ${source.namespace}`), 0);
  await expectExitCode(cal(`profile add live --base-url ${target.baseUrl} --namespace ${target.namespace} --site-tz America/New_York`), 0);
  if (emptiesTarget) await deleteEverything(target);
  return new TwoSites(cal, source, target, live);
}

async function deleteEverything(sandbox: Sandbox): Promise<void> {
  const { baseUrl, namespace, token, serverProfile } = sandbox;
  const { CAL_PASSWORD } = getAccess(sandbox, "CAL_");
  const authorization = CAL_PASSWORD === undefined ? `Bearer ${token}` : `Basic ${Buffer.from(`admin:${CAL_PASSWORD}`).toString("base64")}`;
  const send = (path: string, method = "GET") => fetch(`${baseUrl}/${namespace}/${path}`, { method, headers: { authorization } });
  // The seed has fewer than 100 records of each.
  for (const { name, isTerm, hasDates } of Object.values(resources))
    for (let round = 0; round < 2; round++) {
      const statuses = isTerm || serverProfile === "generic" ? {} : { status: "publish,draft,pending,private,future" };
      const filters = { ...serverProfiles[serverProfile].unfilteredParameters[name], ...statuses, per_page: 50 };
      const query = new URLSearchParams(Object.entries(filters).map(([key, value]): [string, string] => [key, String(value)]));
      const page = (await (await send(`${name}?${query}`)).json()) as Readonly<Record<string, readonly JsonRecord[]>>;
      const ids = (page[name] ?? []).map(({ id }) => String(id));
      // Lists leave out those that are hidden from listings.
      const hidden = hasDates && round === 0 ? ["156", "159"] : [];
      await Promise.all([...ids, ...hidden].map((id) => send(`${name}/${id}`, "DELETE")));
    }
}
