// `cal apply DIR`: the files of a folder onto the site. New files are created, changed fields updated; the ledger says what is which.
import { isClearingValue } from "../api/update.ts";
import { type Change, createSiteId } from "../changes/change.ts";
import { conflictRules } from "../changes/compare.ts";
import { openLedger, readLedger } from "../changes/ledger.ts";
import { assertWithinLimits } from "../changes/limits.ts";

import { type Problem, usageError } from "../errors.ts";
import { openRecordFolder, toPath } from "../files/folder.ts";
import { resources } from "../model/resources.ts";
import type { ServerProfile } from "../model/server-profiles.ts";
import type { Handler } from "./command.ts";
import { mergePlanned, planFolder } from "./files/plan-folder.ts";
import { assertReadable, locateFolderLedger, readFolderState } from "./files/state.ts";
import { carryOutRows, createPlan, listFailures } from "./import/carry-out.ts";
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
  const isRun = context.globals["dry-run"] !== true && flags["plan-out"] === undefined;
  const open = isRun ? await openLedger(locateFolderLedger(context, folder, siteId)) : undefined;
  try {
    const options = { zone: settings.tz.value, now: context.clock.now() };
    const state = readFolderState(folder, open?.ledger.entries ?? readLedger(folder.ledgerPath, siteId), options);
    assertReadable(state, options);
    const byResource = await planFolder(state, {
      ...options,
      site,
      onConflict: conflictRules.find((rule) => rule === flags["on-conflict"]) ?? "skip",
      missing: flags["missing"] === "delete" ? "delete" : "keep",
    });
    const planned = mergePlanned(byResource);
    const rows = [...state.rows.values()].flat();
    const refused = [...rows.flatMap((row) => row.problems), ...listUnclearable(planned.changes, site.serverProfile)];
    if (refused.length > 0) throw usageError([...refused, "nothing was sent"]);
    const failures = [...byResource].flatMap(([name, own]) => listFailures(resources[name], [], own));
    for (const notice of planned.notices) await context.notice(notice);
    for (const { error } of failures) await context.warn(error.message);
    const whole = createPlan(siteId, [], planned);
    const plan = flags["no-overlap"] === true ? await skipOverlaps(site, settings, whole) : whole;
    for (const { key, reason } of plan.skipped) await context.warn(`skipped: ${key}: ${reason}`);
    const managed = [...state.entries.values()].filter((entry) => "id" in entry).length;
    assertWithinLimits(plan.changes, { ...parseLimits(invocation), source: { managed, isEmpty: rows.length === 0 } });
    const entries = [...state.renamed].flatMap(([, to]) => state.entries.get(to) ?? []).filter((entry) => "id" in entry);
    return await carryOutRows({
      ...{ context, settings, site, plan, failures, open, flags, total: rows.length },
      planned: {
        ...planned,
        entries: [...entries, ...planned.entries],
        obsolete: new Map([...[...state.renamed].map(([from, to]) => [to, from] as const), ...planned.obsolete]),
      },
    });
  } catch (error) {
    await open?.close();
    throw error;
  }
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
