// Asks a site whether it knows us: "valid" only where that is proven, because a public calendar answers everybody.

import { buildUrl } from "../../api/address.ts";
import type { Query } from "../../api/client.ts";
import { retryAfterHint } from "../../api/problems/outcome.ts";
import type { AuthHeader } from "../../auth/access.ts";
import type { AuthSettings } from "../../auth/parts.ts";
import { parseJsonBody, toDisplayName, toRecord, toText } from "../../auth/reading.ts";
import { CalError } from "../../errors.ts";
import { toPlainText } from "../../http/clean.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";
import { namespaces } from "../../spec/index.ts";

/** What the site says of an access. `anonymous`: it takes us for a visitor although we present something. */
export type IdentityCheck =
  | { readonly result: "valid"; readonly identity?: string }
  | { readonly result: "refused"; readonly status: number; readonly code?: string }
  | { readonly result: "anonymous" }
  | { readonly result: "not provable" };

/** Where WordPress tells who one is ("not shown" in the interface). */
const currentUserPath = "/wp/v2/users/me";

/** Asks as whom the site at base_url takes us. Rejects with `unavailable` where it can't be reached, or is in trouble. */
export async function whoAmI(transport: Transport, settings: AuthSettings, access: AuthHeader): Promise<IdentityCheck> {
  const get = (path: string, query: Query, presented: AuthHeader | undefined): Promise<HttpResponse> =>
    transport({
      method: "GET",
      url: buildUrl(settings.base_url?.value ?? "", path, query),
      headers: { accept: "application/json", ...(presented === undefined ? {} : { [presented.header]: presented.value }) },
    });
  const own = await get(currentUserPath, [["context", "edit"]], access);
  const body = toRecord(parseJsonBody(own.body)) ?? {};
  if (own.status === 429 || own.status >= 500) throw siteUnavailableError(own, toText(body["message"]));
  if (isSuccess(own) && toText(body["id"]) !== undefined) {
    const identity = toDisplayName(body["username"]) ?? toDisplayName(body["slug"]) ?? toDisplayName(body["name"]);
    return identity === undefined ? { result: "valid" } : { result: "valid", identity };
  }
  const anonymous = toText(body["code"]) === "rest_not_logged_in";
  if (own.status === 401 && !anonymous) return toRefusedCheck(own);
  const list = `/${settings.namespace?.value ?? namespaces.interface}/events`;
  const withAccess = await get(list, [["per_page", "1"]], access);
  if (withAccess.status === 401 || withAccess.status === 403) return toRefusedCheck(withAccess);
  const without = await get(list, [["per_page", "1"]], undefined);
  if (isSuccess(withAccess) && (without.status === 401 || without.status === 403)) return { result: "valid" };
  return anonymous ? { result: "anonymous" } : { result: "not provable" };
}

/** A site under maintenance proves nothing of a login. */
function siteUnavailableError({ status, headers }: HttpResponse, message: string | undefined): CalError {
  const said = toPlainText(message ?? "");
  return new CalError("unavailable", `the site answers ${status}${said === "" ? "" : `: ${said}`}`, {
    status,
    hint: retryAfterHint(headers),
  });
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function toRefusedCheck(response: HttpResponse): IdentityCheck {
  const code = toText(toRecord(parseJsonBody(response.body))?.["code"]);
  return { result: "refused", status: response.status, ...(code !== undefined && /^[\w-]{1,60}$/.test(code) ? { code } : {}) };
}
