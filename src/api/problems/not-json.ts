// From an answer that is no JSON to the error that a user sees: what stands before the site, or something else in its place.
import { CalError } from "../../errors.ts";
import { sanitizeLine } from "../../http/line.ts";
import type { HttpResponse } from "../../http/transport.ts";
import type { ApiRequest } from "../client.ts";
import { isOutcomeUnknown, outcomeHint, retryAfterHint, unknownOutcomeMessage } from "./outcome.ts";

/** The error for an answer that is not JSON; `why` says how it is not. */
export function notJsonError(request: ApiRequest, response: HttpResponse, why: string): CalError {
  const type = sanitizeLine(response.headers["content-type"] ?? "no content type");
  const place = { status: response.status, request: { method: request.method, path: request.path } };
  if (response.status === 404) {
    return new CalError("local", `there is no calendar interface at this address: 404, ${type}`, {
      ...place,
      code: "no-interface",
      hint: "find the site's address: cal init <site-url>; or cal config set base_url <url>",
    });
  }
  if (response.status === 413)
    return new CalError("rejected", "the server refuses so much data at once (413)", { ...place, code: "too-large" });
  if (response.status === 401 || response.status === 403) {
    return new CalError(
      response.status === 401 ? "unauthenticated" : "forbidden",
      `something before the site refused the request: ${response.status}, ${type}`,
      {
        ...place,
        code: "refused",
        hint: "a firewall or a web server's password protects this address",
      },
    );
  }
  const unknown = isOutcomeUnknown(request, response.status) || (response.status < 400 && request.method !== "GET");
  const hint = unknown
    ? outcomeHint(request)
    : response.status >= 400
      ? retryAfterHint(response.headers)
      : "does base_url point to the REST root of the site? cal init <site-url> finds it";
  return new CalError(
    "unavailable",
    `the server's answer can't be read (${response.status}, ${type}): ${why}${unknown ? unknownOutcomeMessage : ""}`,
    {
      ...place,
      code: "unreadable-answer",
      hint,
    },
  );
}
