// Over plain http everybody on the way can read and change what is sent: nothing but bare reading goes there without an explicit yes.
import { CalError } from "../errors.ts";
import { formatRequestTarget, isLoopback, type Transport } from "./transport.ts";

/** What everybody may read of a request. */
const nonSecretHeaders: ReadonlySet<string> = new Set(["accept", "accept-encoding", "content-type", "user-agent"]);

/**
 * Wraps a transport so that only GET requests without a secret go over http to another machine, unless it is allowed.
 * Every header that is not known to be harmless counts as a secret: a profile may present its token in any.
 */
export function requireHttps(send: Transport, allowed: boolean): Transport {
  return (request) => {
    if (allowed || request.url.startsWith("https://")) return send(request);
    const { protocol, hostname } = new URL(request.url);
    const bare = request.method === "GET" && Object.keys(request.headers).every((name) => nonSecretHeaders.has(name.toLowerCase()));
    if (bare || protocol !== "http:" || isLoopback(hostname)) return send(request);
    const refusal = new CalError(
      "usage",
      `nothing was sent: over plain http everybody on the way could read the access or the data of ${formatRequestTarget(request)}`,
      {
        code: "plain-http",
        hint: "use https:// where the site has it; to allow http for this profile: cal config set allow_http true; for a call: CAL_ALLOW_HTTP=1",
      },
    );
    return Promise.reject(refusal);
  };
}
