// A record command as it was called, and what is wrong with it: whoever reads a part of it adds its own, and all is told at once.
import type { Site } from "../../api/refs.ts";
import type { Context } from "../../context.ts";
import { CalError, type Problem, toProblem, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import type { Invocation } from "../command.ts";

/** A list of what is wrong, filled while reading. */
export type Problems = (string | Problem)[];

/** A command over records of a resource. */
export interface Call {
  readonly resource: Resource;
  /** As it is typed: `create`. */
  readonly verb: string;
  readonly invocation: Invocation;
  readonly context: Context;
  /** What was wrong on the command line already, and what its readers find. */
  readonly problems: Problems;
}

/** The call of a verb, to be read. */
export function callOf(resource: Resource, verb: string, invocation: Invocation, context: Context): Call {
  return { resource, verb, invocation, context, problems: [...invocation.problems] };
}

/** Throws all problems at once. */
export function throwIfProblems({ problems, resource, verb }: Pick<Call, "problems" | "resource" | "verb">): void {
  if (problems.length === 0) return;
  throw usageError(problems, { text: "see the flags", command: `cal ${resource.name} ${verb} --help` });
}

/** What a flag's text means; where it means nothing that is a problem, told with its advice, and undefined. */
export function tryParseFlag<T>(flag: string, problems: Problems, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    const problem = toProblem(error);
    problems.push({ ...problem, message: `--${flag}: ${problem.message}` });
    return undefined;
  }
}

// The site that a record command speaks to, as the settings say it.

/** What the settings say of the site: enough to check what was typed, before anything is opened. */
interface SiteFrame extends Omit<Site, "client"> {
  /** The zone in which dates are read. */
  readonly zone: string;
  /** Whether `--tz` was typed: then a date is read there even where the record has a zone of its own. */
  readonly hasExplicitZone: boolean;
}

/** The site, to be asked. */
export interface RecordSite extends SiteFrame, Site {}

/** A call, and the site that it is about. */
export interface Scene extends Call {
  readonly site: SiteFrame;
}

/** Reads the settings; needs no site. Settings that were typed wrong are told with all other problems. */
export async function sceneOf(call: Call): Promise<Scene> {
  const { context, problems } = call;
  const settings = await context.settings().catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    // Alone it is told with the advice of its own.
    if (problems.length === 0 && error.details.hint !== undefined) throw error;
    problems.push(toProblem(error));
    throwIfProblems(call);
    throw error;
  });
  const site: SiteFrame = {
    namespace: settings.namespace.value,
    serverProfile: serverProfiles[settings.server.value],
    get zone() {
      return settings.tz.value;
    },
    hasExplicitZone: context.globals["tz"] !== undefined,
  };
  return { ...call, site };
}

/** Refuses the command where anything is wrong, else opens the site; rejects with kind `local` where no profile says which. */
export async function openSite(scene: Scene): Promise<RecordSite> {
  throwIfProblems(scene);
  return { ...scene.site, client: await scene.context.client() };
}
