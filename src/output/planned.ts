// Requests that --dry-run kept from the wire, as a report.
import type { HttpRequest } from "../http/transport.ts";
import type { PlanEntry, PlanReport } from "./report.ts";

/** The plan to print: methods, addresses and bodies; no header, for one of them is a secret. */
export function createPlanReport(requests: readonly HttpRequest[]): PlanReport {
  return { kind: "plan", requests: requests.map(toPlanEntry) };
}

/** One request of a plan. */
export function toPlanEntry({ method, url, body }: HttpRequest): PlanEntry {
  return { method, url, ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }) };
}
