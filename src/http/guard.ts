// The one choke point of writing: what a read-only profile or --dry-run forbids never reaches the wire.
import { CalError } from "../errors.ts";
import { formatRequestTarget, type HttpRequest, type Transport } from "./transport.ts";

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Thrown instead of sending under --dry-run; the program prints the request and exits 0. */
export class PlannedRequest extends Error {
  override readonly name = "PlannedRequest";
  readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    super(`planned: ${formatRequestTarget(request)}`);
    this.request = request;
  }
}

/** Wraps a transport so that only reads pass where writing is not wanted. */
export function guard(send: Transport, rules: { readonly readOnly: boolean; readonly dryRun: boolean }): Transport {
  return (request) => {
    if (safeMethods.has(request.method) || !(rules.dryRun || rules.readOnly)) return send(request);
    return Promise.reject(rules.dryRun ? new PlannedRequest(request) : readOnlyError(formatRequestTarget(request)));
  };
}

/** Why what would write is not sent. */
export function readOnlyError(what: string): CalError {
  return new CalError("forbidden", `nothing was sent: ${what} would write, and this is read-only`, {
    code: "read-only",
    hint: "cal config list --show-origin shows where read_only is set; --no-read-only overrides it",
  });
}
