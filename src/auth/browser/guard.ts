// Which requests to the loopback listener are honest: everything that another page, process or prefetch may try ends here.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { LoopbackUrl } from "./redirect.ts";

/** The secrets of one flow, each unguessable: the path that starts it, the cookie of the browser that did, and the nonce of our page. */
export interface FlowSecrets {
  readonly start: string;
  readonly cookie: string;
  readonly nonce: string;
}

/** The name of the cookie that binds a flow to the browser that opened it. */
export const cookieName = "cal_login";

/** The header that carries the nonce of our page. */
export const nonceHeader = "x-cal-nonce";

/** A refusal: the status and the words that go with it. */
export interface Refused {
  readonly status: number;
  readonly says: string;
}

/** Undefined for a request that names us as we are registered; another name may be a rebound DNS entry. */
export function refusedHost(headers: IncomingHttpHeaders, url: LoopbackUrl): Refused | undefined {
  return headers.host === url.host ? undefined : { status: 421, says: "This address is not served here." };
}

/** Undefined for a page load of a person: no frame, no prefetch. */
export function refusedVisit(headers: IncomingHttpHeaders): Refused | undefined {
  const purpose = `${String(headers["sec-purpose"] ?? "")} ${String(headers["purpose"] ?? "")}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return { status: 403, says: "This page is not loaded ahead." };
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return { status: 403, says: "This page is not shown inside another." };
  return undefined;
}

/** Undefined for the browser that started the flow. */
export function refusedBrowser(headers: IncomingHttpHeaders, secrets: FlowSecrets): Refused | undefined {
  const cookies = (headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  if (cookies.some(([name, value]) => name === cookieName && same(value ?? "", secrets.cookie))) return undefined;
  return { status: 403, says: "This browser did not start the login. Open the address that cal printed, in this browser." };
}

/** Undefined for a hand-over by our own page: its origin, its nonce, its content type. */
export function refusedPost(headers: IncomingHttpHeaders, url: LoopbackUrl, secrets: FlowSecrets): Refused | undefined {
  const site = headers["sec-fetch-site"];
  if (headers.origin !== url.origin || (site !== undefined && site !== "same-origin")) return { status: 403, says: "Not from this page." };
  if (!same(String(headers[nonceHeader] ?? ""), secrets.nonce)) return { status: 403, says: "Not from this page." };
  if (headers["content-type"] !== "application/json") return { status: 415, says: "Not JSON." };
  return refusedBrowser(headers, secrets);
}

/** Compares without telling by its time where two texts differ. */
export function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
