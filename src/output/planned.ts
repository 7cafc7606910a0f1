// Requests that --dry-run kept from the wire, as a report.
import type { HttpRequest } from "../http/transport.ts";
import type { PlanReport } from "./report.ts";

/** The plan to print: methods, addresses and bodies; no header, for one of them is a secret. */
export function planOf(requests: readonly HttpRequest[]): PlanReport {
  return {
    kind: "plan",
    requests: requests.map(({ method, url, body }) => ({
      method,
      url,
      ...(body === undefined ? {} : { body: JSON.parse(body) as unknown }),
    })),
  };
}
