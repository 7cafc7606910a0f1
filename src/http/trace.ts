// --debug: every exchange on stderr, with times and headers, secrets blanked.
import { sanitizeLine } from "./line.ts";
import { extractSecrets, filterUnambiguousSecrets, redactSecrets } from "./secrets.ts";
import type { Transport } from "./transport.ts";

const secretHeaders = /^(authorization|cookie|set-cookie|proxy-authorization|x-.*(?:token|key|secret).*)$/i;
const secretValues = /((?:token|password|secret|code)[a-z_]*=)[^&\s]*/gi;

/** Wraps a transport so that each exchange is told. Bodies are told by their size only: they may hold secrets. */
export function logRequests(send: Transport, clock: { now(): number }, say: (text: string) => Promise<void>): Transport {
  return async (request) => {
    const start = clock.now();
    // A short one is blanked where its name or place tells it; elsewhere it may be a word of the address.
    const sent = filterUnambiguousSecrets(
      Object.entries(request.headers).flatMap(([name, value]) => (secretHeaders.test(name) ? extractSecrets(value) : [])),
    );
    const tell = (text: string) => say(redactSecrets(text, sent));
    const bytes = request.body === undefined ? "" : `, ${Buffer.byteLength(request.body)} bytes`;
    await tell(`> ${request.method} ${request.url.replace(secretValues, "$1***")}${bytes}${formatHeaders(">", request.headers)}`);
    try {
      const response = await send(request);
      await tell(`< ${response.status} in ${clock.now() - start} ms, ${response.body.length} bytes${formatHeaders("<", response.headers)}`);
      return response;
    } catch (error) {
      await tell(`< no answer in ${clock.now() - start} ms: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  };
}

function formatHeaders(mark: string, headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `\n${mark}   ${name}: ${secretHeaders.test(name) ? "***" : sanitizeLine(value.replace(secretValues, "$1***"))}`)
    .join("");
}
