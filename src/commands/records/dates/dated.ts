// What was given, its dates settled on the clock of the record. The date grammar is loaded only where there are dates.
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import type { Scene } from "../site.ts";
import type { DateContext } from "./settled.ts";
import { formatDateOnlyWarnings } from "./untimed.ts";

/** Whether anything of the input is a date or decides how dates are read. */
function hasDates({ resource, invocation }: Scene, given: Input): boolean {
  return (
    invocation.flags["duration"] !== undefined ||
    given["timezone"] !== undefined ||
    resource.fields.some(({ name, format }) => format === "date-time" && given[name] !== undefined)
  );
}

/** Where and when the dates of a command are read, for a record that keeps its times in `zone`. */
export function createDateContext({ context, invocation, site }: Scene, zone: string | undefined): DateContext {
  const { duration } = invocation.flags;
  return {
    now: context.clock.now(),
    zone,
    inputZone: site.hasExplicitZone ? site.zone : undefined,
    siteZone: site.zone,
    duration: duration === undefined ? undefined : String(duration),
  };
}

/**
 * Settles the dates in `--timezone`, else in `ownZone`, and sends that zone with a change of them.
 * Without either only the grammar is checked, and nothing is said: the record's zone is known only when it has been read.
 * Of a record that has been read a new length counts from the start that it has.
 */
export async function applyDates(scene: Scene, given: Input, ownZone: string | undefined, record?: DataRecord): Promise<Input> {
  const { resource, context, problems } = scene;
  if (!hasDates(scene, given)) return given;
  const { parseInputZone, resolveDates } = await import("./settled.ts");
  const hasZone = resource.fields.some(({ name }) => name === "timezone");
  const typed = hasZone ? parseInputZone(given, problems) : undefined;
  const zone = typed ?? ownZone;
  const { values, warnings, dateOnlyInputs } = resolveDates(scene, given, {
    ...createDateContext(scene, zone),
    recordStart: record?.["start_date"],
  });
  const told = ownZone === undefined ? [] : [...warnings, ...formatDateOnlyWarnings(scene, values, dateOnlyInputs, record)];
  for (const warning of told) await context.warn(warning);
  const moved = values["start_date"] !== undefined || values["end_date"] !== undefined;
  return hasZone && moved && zone !== undefined && !values["timezone"] ? { ...values, timezone: zone } : values;
}
