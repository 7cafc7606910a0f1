// An event of the same title at the same time: a person who creates it a second time is asked whether that is meant.
import { findByName } from "../../api/lookup.ts";
import type { DataRecord } from "../../api/record.ts";
import type { Input } from "../../api/request.ts";
import { wallToEpoch } from "../../dates/wall.ts";
import { CalError } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import { findInteractiveUser } from "../person.ts";
import { describeRecord } from "./after.ts";
import { createDateWindow, instantOf } from "./listing/window.ts";
import type { RecordSite, Scene } from "./site.ts";

/** Asks where there is such an event and somebody at the terminal; rejects with kind `declined` where it is not meant. A script is not slowed down by the search. */
export async function checkDuplicate({ resource, context }: Scene, site: RecordSite, values: Input): Promise<void> {
  const { globals } = context;
  if (globals["yes"] === true || globals["dry-run"] === true || values["start_date"] === undefined) return;
  const person = await findInteractiveUser(context);
  const [twin, ...others] = person === undefined ? [] : await findDuplicates(resource, site, values);
  if (person === undefined || twin === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const question = `There is already ${describeRecord(resource, twin, String(values["start_date"]).slice(0, 16))}${more} - create another one?`;
  if (!(await person.confirm(question, false))) throw new CalError("declined", "nothing was created", { code: "declined" });
}

/** None where the search fails: it is a courtesy. */
async function findDuplicates(resource: Resource, site: RecordSite, values: Input): Promise<readonly DataRecord[]> {
  const [start, zone] = [String(values["start_date"]), String(values["timezone"] || site.zone)];
  const moment = wallToEpoch(start, zone);
  if (moment === undefined) return [];
  const { filters } = createDateWindow({ from: moment, to: moment, running: false }, zone, site.serverProfile);
  const found = await findByName(site, resource, String(values[resource.titleField]), filters).catch(() => []);
  return found.filter((record) => instantOf(record, "start_date", zone) === moment);
}
