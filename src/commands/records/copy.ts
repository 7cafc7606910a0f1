// `cal <resource> copy --to PROFILE`: records and all that they link to, from one site to another.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fetchRecord, type RecordSource, resolveRef, withRecordSuggestions } from "../../api/refs.ts";
import { findUndocumentedLinks } from "../../api/update.ts";
import { createSiteId } from "../../changes/change.ts";
import { conflictRules } from "../../changes/compare.ts";
import { getLedgerPath } from "../../changes/ledger.ts";
import { assertWithinLimits } from "../../changes/limits.ts";
import { addUploads } from "../../changes/media.ts";
import { getSelectedProfile } from "../../config/config-file.ts";
import { adaptErrorHints } from "../../config/hint-commands.ts";
import type { Context } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, toProblem, usageError } from "../../errors.ts";
import { readOnlyError } from "../../http/transport.ts";
import type { Resource } from "../../model/resource.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import { once } from "../../once.ts";
import type { Outcome, Report } from "../../output/report.ts";
import { toBatches } from "../../output/rows.ts";
import type { Handler, Invocation } from "../command.ts";
import { openSourcePictures } from "../copy/pictures.ts";
import { type Losses, planCopy } from "../copy/plan-copy.ts";
import { readLinkedRecords, type SourceRecords } from "../copy/source-records.ts";
import { carryOutRows, createPlan, warnOfFailures } from "../import/carry-out.ts";
import { createLedgerLock, planWithLedger } from "../ledger.ts";
import { parseLimits } from "../limits.ts";
import { createRecordCommand, openSite, type Problems, type RecordCommand } from "./command.ts";
import { list } from "./list.ts";
import { type Refs, readRefs, resolveAmbiguousRef } from "./refs.ts";

/** Flags that are not those of the list. */
const ownFlags: readonly string[] = ["to", "on-conflict", "ledger", "max-changes", "plan-out"];

/** The handler that copies records of a resource to the site of another profile. */
export function copy(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems: Problems = [...invocation.problems];
    const filters = Object.fromEntries(Object.entries(invocation.flags).filter(([name]) => !ownFlags.includes(name)));
    const isFiltered = Object.keys(filters).length > 0;
    if (isFiltered && invocation.args.length > 0) problems.push("refs and filters exclude each other");
    if (!isFiltered && invocation.args.length === 0) problems.push(`which ${resource.name}? Give refs, a filter, or --all`);
    const refs: Refs = invocation.args.length === 0 ? { refs: [], many: true } : await readRefs(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "copy", invocation, context, problems);
    const target = await openTarget(command);
    const site = await openSite(command);
    if (target === undefined) throw new Error("a target was expected");
    const asked = isFiltered ? await listRecords(resource, filters, context) : await readRecords(command, site, refs);
    const { profile, server } = await target.settings();
    const { rendersText } = serverProfiles[server.value];
    const records = await readLinkedRecords(site, resource, asked, command.serverProfile.rendersText && rendersText);
    return withTargetHints(profile.value, () => copyRecords(command, records, target));
  };
}

/** The other site. All that is wrong with it is a problem, so that nothing is sent. */
async function openTarget({ context, settings, invocation: { flags }, problems }: RecordCommand): Promise<Context | undefined> {
  const profile = String(flags["to"]);
  if (settings.sandbox.value)
    problems.push({
      message: `--to needs two sites, and the sandbox of ${settings.sandbox.origin} ends with the command`,
      hint: { text: "for a sandbox that a profile can name", command: "cal sandbox serve" },
    });
  const target = await openProfile(context, profile).catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    problems.push(toProblem(error));
    return undefined;
  });
  if (target === undefined) return undefined;
  const itsSettings = await target.settings();
  if (!settings.sandbox.value && settings.base_url !== undefined && createSiteId(settings) === createSiteId(itsSettings))
    problems.push({
      message: `--to: profile ${profile} is the site that is copied from: ${createSiteId(settings)}`,
      hint: "clone copies a record within one site",
    });
  if (itsSettings.read_only.value && context.globals["dry-run"] !== true && problems.length === 0)
    throw adaptErrorHints(readOnlyError(`a copy to profile ${profile}`), createScope(profile));
  return target;
}

async function openProfile(context: Context, profile: string): Promise<Context> {
  getSelectedProfile(await (await context.configFile()).read(), { value: profile, origin: "--to" });
  const target = await context.openOtherSite(profile);
  const { base_url } = await target.settings();
  if (base_url !== undefined) return target;
  throw usageError(`--to: profile ${profile} names no site yet`, { text: "set it up", command: `cal init -p ${profile} <site-url>` });
}

const createScope = (profile: string) => ({ globals: { profile }, env: {} });

/** What goes wrong at the target has hints for its profile. */
async function withTargetHints(profile: string, work: () => Promise<Report>): Promise<Report> {
  const adapt = (error: unknown) => (error instanceof CalError ? adaptErrorHints(error, createScope(profile)) : error);
  try {
    const report = await work();
    if (report.kind !== "outcomes") return report;
    const adaptOutcomes = async function* (): AsyncGenerator<readonly Outcome[]> {
      for await (const group of toBatches(report.outcomes))
        yield group.map((outcome) =>
          outcome.error === undefined ? outcome : { ...outcome, error: adaptErrorHints(outcome.error, createScope(profile)) },
        );
    };
    return { ...report, outcomes: adaptOutcomes() };
  } catch (error) {
    throw adapt(error);
  }
}

// The records of the source.

async function listRecords(resource: Resource, filters: Invocation["flags"], context: Context): Promise<readonly DataRecord[]> {
  const isLimited = filters["limit"] !== undefined;
  const report = await list(resource, "copy")({ args: [], flags: { ...filters, ...(!isLimited && { all: true }) }, problems: [] }, context);
  if (report.kind !== "list") throw new Error("a list was expected");
  const found: DataRecord[] = [];
  for await (const batch of toBatches(report.records)) found.push(...batch);
  return found;
}

/** Rejects where one of them can't be read: then nothing is copied. */
async function readRecords(command: RecordCommand, site: RecordSource, refs: Refs): Promise<readonly DataRecord[]> {
  const { resource } = command;
  const chosen = await resolveAmbiguousRef(command, site, refs);
  const read = await Promise.allSettled(
    chosen.refs.map(({ ref }) =>
      withRecordSuggestions(site, resource, ref, async () => fetchRecord(site, resource, await resolveRef(site, resource, ref))),
    ),
  );
  const errors = read.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [first] = errors;
  if (first instanceof CalError && errors.length > 1)
    throw new CalError(
      first.kind,
      errors.map((error) => (error instanceof Error ? error.message : String(error))).join("\n"),
      first.details,
    );
  if (first !== undefined) throw first;
  return read.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

// The plan.

async function copyRecords(
  { invocation, settings, serverProfile, resource }: RecordCommand,
  records: SourceRecords,
  target: Context,
): Promise<Report> {
  const { flags } = invocation;
  const { folders, clock, globals } = target;
  const targetSettings = await target.settings();
  const targetSite: RecordSource = {
    client: await target.client(),
    namespace: targetSettings.namespace.value,
    serverProfile: serverProfiles[targetSettings.server.value],
    rawAccess: { isDenied: false },
  };
  const [sourceId, targetId] = [createSiteId(settings), createSiteId(targetSettings)];
  const ledgerFile = flags["ledger"];
  const ledgerOptions = {
    path: ledgerFile === undefined ? getLedgerPath(folders.state, targetId, `copy-${sourceId}`) : resolve(String(ledgerFile)),
    site: targetId,
    source: `records of ${sourceId}`,
    lock: createLedgerLock(target),
  };
  const isSaved = flags["plan-out"] !== undefined;
  const pictures = openSourcePictures({
    origin: new URL(settings.base_url?.value ?? "").origin,
    refusal:
      targetSite.serverProfile.mediaPath === undefined
        ? "the target takes no files"
        : isSaved
          ? "a saved plan has no pictures: a copy without --plan-out uploads them"
          : undefined,
    timeout: settings.timeout.value,
    ...(settings.ca_file !== undefined && { ca: [await readFile(settings.ca_file.value, "utf8")] }),
  });
  return planWithLedger(target, ledgerOptions, async (entries, open) => {
    const planned = await planCopy(records, {
      source: { profile: serverProfile, zone: (settings.site_tz ?? settings.tz).value },
      target: targetSite,
      zone: (targetSettings.site_tz ?? targetSettings.tz).value,
      label: sourceId,
      entries,
      onConflict: conflictRules.find((rule) => rule === flags["on-conflict"]) ?? "skip",
      now: clock.now(),
      pictures,
      keep: await target.openStore(),
      findUnknownFields: createUnknownFieldFinder(targetSite),
    });
    const { rows, failures } = planned;
    const plan = createPlan(targetId, rows, { ...planned, changes: addUploads(planned.changes, pictures) });
    if (plan.changes.some(({ op }) => op === "create"))
      await target.notice("not copied: author and date of publication: the target sets its own");
    for (const line of formatLosses(planned.losses, globals["dry-run"] === true)) await target.warn(line);
    for (const notice of planned.notices) await target.notice(notice);
    await warnOfFailures(target, failures);
    assertWithinLimits(plan.changes, parseLimits(invocation));
    if (rows.length === 0) await target.notice(`no ${resource.name} to copy`);
    return carryOutRows({
      context: target,
      settings: targetSettings,
      site: targetSite,
      plan,
      planned,
      failures,
      total: rows.length,
      open,
      flags,
      images: pictures,
    });
  });
}

/** A server without The Events Calendar may not know all fields; where it has a document, that names those that it knows. */
function createUnknownFieldFinder({ client, namespace, serverProfile }: RecordSource) {
  const readDocument = once(async () => {
    const request = { method: "GET", path: `/${namespace}/doc`, query: [], optional: true } as const;
    const value = await client.send(request).then(
      (reply) => reply.value,
      () => undefined,
    );
    return { value };
  });
  return async (resource: Resource): Promise<ReadonlySet<string>> => {
    const names = resource.fields.filter(({ nonStandard }) => nonStandard === true).map(({ name }) => name);
    if (serverProfile.rendersText || names.length === 0) return new Set();
    const { value } = await readDocument();
    if (value === undefined) return new Set();
    const linked = Object.fromEntries(names.map((name) => [name, [1]]));
    return new Set((await findUndocumentedLinks(resource, linked, {}, async () => value)).lost);
  };
}

/** Records that a line names, unless it is a preview. */
const maxNames = 5;

function formatLosses(losses: Losses, showsAll: boolean): readonly string[] {
  return [...losses].map(([loss, names]) => {
    const shown = showsAll ? names : names.slice(0, maxNames);
    const rest = names.length - shown.length;
    return `not copied: ${loss}: ${shown.join(", ")}${rest > 0 ? `, and ${rest} more: --dry-run shows all` : ""}`;
  });
}
