// `cal apply DIR`: the files of a folder onto the site. New files are created, changed fields updated; the ledger says what is which.
import { isClearingValue } from "../api/update.ts";
import { type Change, createSiteId } from "../changes/change.ts";
import { conflictRules } from "../changes/compare.ts";
import { assertWithinLimits } from "../changes/limits.ts";
import { addUploads } from "../changes/media.ts";
import { type Problem, usageError } from "../errors.ts";
import { openRecordFolder, toPath } from "../files/folder.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import type { Handler } from "./command.ts";
import { mergePlanned, planFolder } from "./files/plan-folder.ts";
import { assertPlannable, assertReadable, listDeletedHere, locateFolderLedger, readFolderState } from "./files/state.ts";
import { carryOutRows, createPlan, listFailures, warnOfFailures } from "./import/carry-out.ts";
import { planWithLedger } from "./ledger.ts";
import { parseLimits } from "./limits.ts";
import { openSource } from "./log.ts";
import { skipOverlaps } from "./records/no-overlap.ts";

export const applyFolder: Handler = async (invocation, context) => {
  const { args, flags, problems } = invocation;
  const [path = "."] = args;
  if (problems.length > 0) throw usageError(problems);
  const settings = await context.settings();
  const folder = openRecordFolder(path);
  const site = await openSource(context);
  const siteId = createSiteId(settings);
  return planWithLedger(context, locateFolderLedger(context, folder, siteId), async (known, open) => {
    const options = { zone: settings.tz.value, now: context.clock.now() };
    const state = readFolderState(folder, known, options);
    assertReadable(state, options);
    const byResource = await planFolder(state, {
      ...options,
      site,
      onConflict: conflictRules.find((rule) => rule === flags["on-conflict"]) ?? "skip",
      missing: flags["missing"] === "delete" ? "delete" : "keep",
      keep: await context.openStore(),
    });
    const planned = mergePlanned(byResource);
    const rows = [...state.rows.values()].flat();
    assertPlannable(state, listUnclearable(planned.changes, site.serverProfile));
    const failures = [...byResource].flatMap(([name, own]) => listFailures(resources[name], [], own));
    for (const notice of planned.notices) await context.notice(notice);
    const deleted = flags["missing"] === "delete" ? [] : listDeletedHere(state);
    for (const { key } of deleted) await context.notice(`${toPath(key)} is gone, and its record stays: --missing delete deletes it`);
    await warnOfFailures(context, failures);
    const { images } = state;
    const whole = createPlan(siteId, [], planned);
    const free = flags["no-overlap"] === true ? await skipOverlaps(site, settings, whole) : whole;
    const plan = images === undefined ? free : { ...free, changes: addUploads(free.changes, images) };
    for (const { key, reason } of plan.skipped) await context.warn(`skipped: ${key}: ${reason}`);
    const managed = [...state.entries.values()].filter((entry) => "id" in entry).length;
    assertWithinLimits(plan.changes, { ...parseLimits(invocation), source: { managed, isEmpty: rows.length === 0 } });
    const entries = [...state.renamed].flatMap(([, to]) => state.entries.get(to) ?? []).filter((entry) => "id" in entry);
    return carryOutRows({
      ...{ context, settings, site, plan, failures, open, flags, images, total: rows.length },
      planned: {
        ...planned,
        entries: [...entries, ...planned.entries],
        obsolete: new Map([...[...state.renamed].map(([from, to]) => [to, from] as const), ...planned.obsolete]),
      },
    });
  });
};

/** Fields without a line that the server can't empty. */
function listUnclearable(changes: readonly Change[], { cannotClear }: ServerProfile): readonly Problem[] {
  return changes.flatMap(({ op, resource, key, fields }) => {
    const reasons = resource === "media" ? undefined : cannotClear[resource];
    return fields.flatMap(({ name, to }) => {
      const reason = op === "update" && isClearingValue(to) ? reasons?.[name] : undefined;
      return reason === undefined ? [] : [{ message: `${toPath(key)}: ${name} can't be emptied: ${reason}` }];
    });
  });
}
