// What was given, its dates settled on the clock of the record. The date grammar is loaded only where there are dates.
import type { DataRecord } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import type { Context } from "../../../context.ts";
import type { Resource } from "../../../spec/resource.ts";
import type { Invocation } from "../../command.ts";
import type { Problems } from "../given/given.ts";
import type { SiteFrame } from "../site.ts";
import type { DateFrame } from "./settled.ts";
import { untimedWarnings } from "./untimed.ts";

/** The command that the dates were typed in. */
export interface Scene {
  readonly resource: Resource;
  readonly invocation: Invocation;
  readonly context: Context;
  readonly site: SiteFrame;
}

/** Whether anything of the input is a date or decides how dates are read. */
function isDated({ resource, invocation }: Scene, given: Input): boolean {
  return (
    invocation.flags["duration"] !== undefined ||
    given["timezone"] !== undefined ||
    resource.fields.some(({ name, format }) => format === "date-time" && given[name] !== undefined)
  );
}

/** Where and when the dates of a command are read, for a record that keeps its times in `zone`. */
export function dateFrame({ context, site }: Scene, zone: string | undefined): DateFrame {
  return { now: context.clock.now(), zone, readIn: site.zoneTyped ? site.zone : undefined, siteZone: site.zone };
}

/**
 * Settles the dates in `--timezone`, else in `ownZone`, and sends that zone with a change of them.
 * Without either only the grammar is checked, and nothing is said: the record's zone is known only when it has been read.
 * Of a record that has been read a new length counts from the start that it has.
 */
export async function withDates(
  scene: Scene,
  given: Input,
  ownZone: string | undefined,
  problems: Problems,
  record?: DataRecord,
): Promise<Input> {
  const { resource, invocation, context } = scene;
  if (!isDated(scene, given)) return given;
  const { givenZone, settleDates } = await import("./settled.ts");
  const hasZone = resource.fields.some(({ name }) => name === "timezone");
  const typed = hasZone ? givenZone(given, problems) : undefined;
  const zone = typed ?? ownZone;
  const duration = invocation.flags["duration"];
  const typedLength = duration === undefined ? undefined : String(duration);
  const { values, warnings, untimed } = settleDates(
    resource,
    given,
    typedLength,
    { ...dateFrame(scene, zone), start: record?.["start_date"] },
    problems,
  );
  const told = ownZone === undefined ? [] : [...warnings, ...untimedWarnings(scene, values, untimed, record)];
  for (const warning of told) await context.warn(warning);
  const moved = values["start_date"] !== undefined || values["end_date"] !== undefined;
  return hasZone && moved && zone !== undefined && !values["timezone"] ? { ...values, timezone: zone } : values;
}
