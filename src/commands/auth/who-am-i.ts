// Asks the site whose login a request carries.
import { redirectError, retryAfterHint } from "../../api/problems.ts";
import { buildUrl, type Query } from "../../api/request.ts";
import { type AuthHeader, parseJsonBody, toDisplayName, toRecord, toText } from "../../auth/credentials.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";

/** What the site says of a header. A public calendar answers everybody, so "valid" is only what is proved; `anonymous`: the site ignores the header. */
export type IdentityCheck =
  | { readonly result: "valid"; readonly identity?: string }
  | { readonly result: "refused"; readonly status: number; readonly code?: string }
  | { readonly result: "anonymous" }
  | { readonly result: "not provable" };

/** Asks the site at base_url whose header it is. Rejects with `unavailable` where the site can't be reached or can't answer, and with `local` where it redirects elsewhere. */
export async function whoAmI(transport: Transport, settings: Settings, authHeader: AuthHeader): Promise<IdentityCheck> {
  const baseUrl = settings.base_url?.value ?? "";
  const get = async (path: string, query: Query, headers: HttpResponse["headers"]): Promise<HttpResponse> => {
    const url = buildUrl(baseUrl, path, query);
    const response = await transport({ method: "GET", url, headers: { accept: "application/json", ...headers } });
    const { location = "" } = response.headers;
    const next = response.status >= 300 && response.status < 400 && URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (next !== undefined && next.origin !== new URL(url).origin)
      throw redirectError(baseUrl, { method: "GET", path }, response.status, next, true);
    return response;
  };
  const auth = { [authHeader.header]: authHeader.value };
  // The path of WordPress for the current user ("not shown" in the interface).
  const user = await get("/wp/v2/users/me", [["context", "edit"]], auth);
  const body = toRecord(parseJsonBody(user.body)) ?? {};
  if (user.status === 429 || user.status >= 500) {
    const message = toPlainText(toText(body["message"]) ?? "");
    throw new CalError("unavailable", `the site answers ${user.status}${message && `: ${message}`}`, {
      status: user.status,
      hint: retryAfterHint(user.headers),
    });
  }
  if (isSuccess(user) && toText(body["id"]) !== undefined) {
    const identity = toDisplayName(body["username"]) ?? toDisplayName(body["slug"]) ?? toDisplayName(body["name"]);
    return { result: "valid", ...(identity !== undefined && { identity }) };
  }
  const anonymous = toText(body["code"]) === "rest_not_logged_in";
  if (user.status === 401 && !anonymous) return toRefusedCheck(user);
  const list = `/${settings.namespace.value}/events`;
  const withHeader = await get(list, [["per_page", "1"]], auth);
  if (isDenied(withHeader)) return toRefusedCheck(withHeader);
  const withoutHeader = await get(list, [["per_page", "1"]], {});
  if (isSuccess(withHeader) && isDenied(withoutHeader)) return { result: "valid" };
  return { result: anonymous ? "anonymous" : "not provable" };
}

const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;
const isDenied = ({ status }: HttpResponse): boolean => status === 401 || status === 403;

function toRefusedCheck({ status, body }: HttpResponse): IdentityCheck {
  const code = toText(toRecord(parseJsonBody(body))?.["code"]);
  return { result: "refused", status, ...(code !== undefined && /^[\w-]{1,60}$/.test(code) && { code }) };
}
