// Asks a site whether it knows us: "valid" only where that is proven, because a public calendar answers everybody.

import { urlFor } from "../../api/address.ts";
import type { Query } from "../../api/client.ts";
import { laterHint } from "../../api/problems/outcome.ts";
import type { Access } from "../../auth/access.ts";
import type { AuthSettings } from "../../auth/parts.ts";
import { jsonOf, nameOf, recordOf, textOf } from "../../auth/reading.ts";
import { CalError } from "../../errors.ts";
import { plainText } from "../../http/clean.ts";
import type { HttpResponse, Transport } from "../../http/transport.ts";
import { namespaces } from "../../spec/index.ts";

/** What the site says of an access. `anonymous`: it takes us for a visitor although we present something. */
export type Verdict =
  | { readonly is: "valid"; readonly identity?: string }
  | { readonly is: "refused"; readonly status: number; readonly code?: string }
  | { readonly is: "anonymous" }
  | { readonly is: "not provable" };

/** Where WordPress tells who one is ("not shown" in the interface). */
const me = "/wp/v2/users/me";

/** Asks as whom the site at base_url takes us. Rejects with `unavailable` where it can't be reached, or is in trouble. */
export async function whoAmI(transport: Transport, settings: AuthSettings, access: Access): Promise<Verdict> {
  const get = (path: string, query: Query, presented: Access | undefined): Promise<HttpResponse> =>
    transport({
      method: "GET",
      url: urlFor(settings.base_url?.value ?? "", path, query),
      headers: { accept: "application/json", ...(presented === undefined ? {} : { [presented.header]: presented.value }) },
    });
  const own = await get(me, [["context", "edit"]], access);
  const body = recordOf(jsonOf(own.body)) ?? {};
  if (own.status === 429 || own.status >= 500) throw inTrouble(own, textOf(body["message"]));
  if (isSuccess(own) && textOf(body["id"]) !== undefined) {
    const identity = nameOf(body["username"]) ?? nameOf(body["slug"]) ?? nameOf(body["name"]);
    return identity === undefined ? { is: "valid" } : { is: "valid", identity };
  }
  const anonymous = textOf(body["code"]) === "rest_not_logged_in";
  if (own.status === 401 && !anonymous) return refusedBy(own);
  const list = `/${settings.namespace?.value ?? namespaces.interface}/events`;
  const withAccess = await get(list, [["per_page", "1"]], access);
  if (withAccess.status === 401 || withAccess.status === 403) return refusedBy(withAccess);
  const without = await get(list, [["per_page", "1"]], undefined);
  if (isSuccess(withAccess) && (without.status === 401 || without.status === 403)) return { is: "valid" };
  return anonymous ? { is: "anonymous" } : { is: "not provable" };
}

/** A site under maintenance proves nothing of a login. */
function inTrouble({ status, headers }: HttpResponse, message: string | undefined): CalError {
  const said = plainText(message ?? "");
  return new CalError("unavailable", `the site answers ${status}${said === "" ? "" : `: ${said}`}`, { status, hint: laterHint(headers) });
}

function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

function refusedBy(response: HttpResponse): Verdict {
  const code = textOf(recordOf(jsonOf(response.body))?.["code"]);
  return { is: "refused", status: response.status, ...(code !== undefined && /^[\w-]{1,60}$/.test(code) ? { code } : {}) };
}
