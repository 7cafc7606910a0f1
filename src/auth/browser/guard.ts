// Which requests to the loopback listener are honest: everything that another page, process or prefetch may try ends here.
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { LoopbackUrl } from "./redirect.ts";

/** The secrets of one flow, each unguessable: the path that starts it, the cookie of the browser that did, and the nonce of our page. */
export interface CallbackSecrets {
  readonly start: string;
  readonly cookie: string;
  readonly nonce: string;
}

/** The name of the cookie that binds a flow to the browser that opened it. */
export const cookieName = "cal_login";

/** The header that carries the nonce of our page. */
export const nonceHeader = "x-cal-nonce";

/** A refusal: the status and the words that go with it. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
}

/** Undefined for a request that names us as we are registered; another name may be a rebound DNS entry. */
export function checkHost(headers: IncomingHttpHeaders, url: LoopbackUrl): Rejection | undefined {
  return headers.host === url.host ? undefined : { status: 421, message: "This address is not served here." };
}

/** Undefined for a page load of a person: no frame, no prefetch. */
export function checkNavigation(headers: IncomingHttpHeaders): Rejection | undefined {
  const purpose = `${String(headers["sec-purpose"] ?? "")} ${String(headers["purpose"] ?? "")}`;
  if (/prefetch|prerender|preview/i.test(purpose)) return { status: 403, message: "This page is not loaded ahead." };
  const destination = headers["sec-fetch-dest"];
  if (destination !== undefined && destination !== "document") return { status: 403, message: "This page is not shown inside another." };
  return undefined;
}

/** Undefined for the browser that started the flow. */
export function checkCookie(headers: IncomingHttpHeaders, secrets: CallbackSecrets): Rejection | undefined {
  const cookies = (headers.cookie ?? "").split(/;\s*/).map((pair) => pair.split("="));
  if (cookies.some(([name, value]) => name === cookieName && constantTimeEqual(value ?? "", secrets.cookie))) return undefined;
  return { status: 403, message: "This browser did not start the login. Open the address that cal printed, in this browser." };
}

/** Undefined for a hand-over by our own page: its origin, its nonce, its content type. */
export function checkPost(headers: IncomingHttpHeaders, url: LoopbackUrl, secrets: CallbackSecrets): Rejection | undefined {
  const site = headers["sec-fetch-site"];
  if (headers.origin !== url.origin || (site !== undefined && site !== "same-origin"))
    return { status: 403, message: "Not from this page." };
  if (!constantTimeEqual(String(headers[nonceHeader] ?? ""), secrets.nonce)) return { status: 403, message: "Not from this page." };
  if (headers["content-type"] !== "application/json") return { status: 415, message: "Not JSON." };
  return checkCookie(headers, secrets);
}

/** Compares without telling by its time where two texts differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
