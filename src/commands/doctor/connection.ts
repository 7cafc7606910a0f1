// Check: the site answers, over a connection that can be trusted.

import { formatCalCommand } from "../../config/profiles.ts";
import type { Settings } from "../../config/settings.ts";
import { isLoopback } from "../../http/transport.ts";
import type { Check, Finding } from "./finding.ts";
import type { RestRootResponse } from "./front.ts";

/** A site that can't be reached is told by the transport's own error. */
export const connectionCheck: Check = {
  name: "connection",
  run: async ({ restRoot, settings }) => evaluateConnection(await restRoot(), await settings()),
};

function evaluateConnection(front: RestRootResponse, settings: Settings): Finding {
  const { origin, protocol, hostname } = new URL(front.url);
  const found = `${origin} answers ${front.status} in ${front.respondedAt - front.requestedAt} ms`;
  const { location } = front.headers;
  if (front.status >= 500) return { state: "failure", found, advice: "the server is in trouble: try again later, or ask who runs it" };
  if (front.status >= 300 && front.status < 400 && location !== undefined) {
    const to = URL.canParse(location, front.url) ? new URL(location, front.url).origin : "somewhere else";
    // What a server says may be pasted into a shell only where it is nothing but an address.
    const address = /^https?:\/\/[\w.:[\]-]+$/.test(to) ? to : "<site-url>";
    return { state: "warning", found: `${found} and sends on to ${to}`, advice: `${formatCalCommand(settings)} init ${address}` };
  }
  if (protocol === "https:" && !settings.insecure.value) return { state: "ok", found: `${found}, with a certificate that is trusted` };
  if (protocol === "https:") {
    const advice = "leave --insecure out; for an authority of your own: --ca-file ca.pem";
    return { state: "warning", found: `${found}; its certificate was not looked at`, advice };
  }
  if (isLoopback(hostname)) return { state: "ok", found: `${found}, on this machine` };
  const advice = `${formatCalCommand(settings)} config set base_url ${settings.base_url?.value.replace("http:", "https:")}`;
  return { state: "warning", found: `${found} over plain http: logins can be read on the way`, advice };
}
