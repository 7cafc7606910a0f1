// `cal apply`: carries out a plan that `--plan-out` saved, or the files of a folder.
import { resolve } from "node:path";
import { type Change, createSiteId, isLinkToNew } from "../changes/change.ts";
import type { ImageFolder } from "../changes/image-file.ts";
import { readPlanFile } from "../changes/plan-file.ts";
import { CalError, toProblem, usageError } from "../errors.ts";
import { isFolder } from "../files/folder.ts";
import { resources } from "../model/resources.ts";
import type { Handler, Invocation } from "./command.ts";
import { parseLimits } from "./limits.ts";
import { openSource } from "./log.ts";
import { assertPlanWithinLimits, finishPlan, runPlan } from "./plan.ts";
import type { Problems } from "./records/command.ts";
import { parseDataValues } from "./records/input.ts";
import { skipOverlaps } from "./records/no-overlap.ts";

/** A folder is another command, with flags of its own. */
export const apply: Handler = async (invocation, context) => {
  const [path = "."] = invocation.args;
  if (isFolder(path) && invocation.flags["images"] !== undefined) throw usageError(`--images is for a saved plan, and ${path} is a folder`);
  if (isFolder(path)) return (await import("./apply-folder.ts")).applyFolder(invocation, context);
  const foreign = ["missing", "on-conflict", "plan-out"].filter((name) => invocation.flags[name] !== undefined);
  if (foreign.length > 0) throw usageError(foreign.map((name) => `--${name} is for a folder, and ${path} is none`));
  const site = await openSource(context);
  const settings = await context.settings();
  const saved = await readPlanFile(path, createSiteId(settings), await context.openStore());
  validateValues(saved.changes);
  const options = { site, settings, mayBeDone: true, isRepeatable: true as const, images: await findImages(invocation, saved.changes) };
  await assertPlanWithinLimits(context, saved, parseLimits(invocation), options);
  const plan = invocation.flags["no-overlap"] === true ? await skipOverlaps(site, settings, saved) : saved;
  for (const { key, reason } of plan.skipped.slice(saved.skipped.length)) await context.warn(`skipped: ${key}: ${reason}`);
  return finishPlan(invocation, context, plan, async () => {
    const { followSavedPlan } = await import("./series/follow.ts");
    return runPlan(context, plan, { ...options, follow: await followSavedPlan(context, plan) });
  });
};

/** The folder of `--images`. Throws a usage error that lists every file of the plan that can't be uploaded. */
async function findImages({ flags }: Invocation, changes: readonly Change[]): Promise<ImageFolder | undefined> {
  const uploads = changes.filter(({ op, resource }) => resource === "media" && op === "create");
  if (uploads.length === 0) return undefined;
  const [{ openImageFolder }, { findPlannedFile }] = await Promise.all([import("../changes/image-file.ts"), import("../changes/media.ts")]);
  const images = flags["images"] === undefined ? undefined : openImageFolder(resolve(String(flags["images"])));
  const problems: Problems = [];
  for (const upload of uploads) {
    try {
      findPlannedFile(upload, images);
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      problems.push(toProblem(error));
    }
  }
  if (problems.length > 0) throw usageError(problems);
  return images;
}

/** The values are checked like those of `--data`. Throws a usage error that lists every problem. */
function validateValues(changes: readonly Change[]): void {
  const problems: Problems = [];
  for (const { resource, fields, key } of changes) {
    if (resource === "media") continue;
    const values = Object.fromEntries(fields.flatMap(({ name, to }) => (isLinkToNew(to) ? [] : [[name, to] as const])));
    parseDataValues(resources[resource], values, key, problems);
  }
  if (problems.length > 0) throw usageError(problems);
}
