// Two sandboxes for one test, and a session whose profile `live` is the second one.
import { afterAll } from "vitest";
import type { ServerProfileName } from "../../../src/model/server-profiles.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts";
import { type CommandResult, expectExitCode, fixedNow, type Session } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "../records/sandbox.ts";
import { createServerSession } from "../records/server.ts";

export class TwoSites {
  readonly cal: Session;
  readonly source: Sandbox;
  readonly target: Sandbox;
  /** A session with the target alone. */
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

/** The records of the target are deleted where `emptiesTarget`. */
export async function openTwoSites(from: ServerProfileName, to: ServerProfileName, emptiesTarget = true): Promise<TwoSites> {
  const target = await startSandbox({ file: ":memory:", day: fixedNow.slice(0, 10), now: () => Date.parse(fixedNow), serverProfile: to });
  afterAll(() => target.close());
  const { cal, sandbox: source } = await openSandboxSession(from, getAccess(target, "CAL_TO_"));
  const live = createServerSession(target.baseUrl, to === "generic" ? "generic" : "tec", { env: getAccess(target, "CAL_") });
  await expectExitCode(cal(`profile add live --base-url ${target.baseUrl} --namespace ${target.namespace} --site-tz America/New_York`), 0);
  if (emptiesTarget)
    for (const resource of ["events", "venues", "organizers", "categories", "tags"]) {
      const all = resource === "events" ? "--all-dates" : resource === "categories" || resource === "tags" ? "--include-empty" : "";
      const { stdout } = await expectExitCode(live(`${resource} list ${all} --all --format ids`), 0);
      if (stdout.trim() !== "") await expectExitCode(live(`${resource} delete - --yes --raw --quiet`, stdout), 0);
    }
  return new TwoSites(cal, source, target, live);
}
