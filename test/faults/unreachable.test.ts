// Faults that one machine can't make on loopback: a transport that fails as the system says it.

import { expect, test } from "vitest";
import { createClient } from "../../src/api/client.ts";
import { createStaticAuthHeaderProvider } from "../../src/auth/credentials.ts";
import { CalError, formatHints } from "../../src/errors.ts";
import { networkError } from "../../src/http/network-errors.ts";
import { withRetries } from "../../src/http/retries.ts";
import type { HttpRequest } from "../../src/http/transport.ts";

const rows: readonly (readonly [code: string, says: string, attempts: number])[] = [
  ["ENOTFOUND", "the host name is not known", 1],
  ["EAI_AGAIN", "the host name could not be looked up", 4],
  ["EHOSTUNREACH", "the host can't be reached", 4],
  ["ENETUNREACH", "the network can't be reached", 4],
  ["ETIMEDOUT", "nothing came back in time", 4],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection was made in time", 4],
  ["CERT_NOT_YET_VALID", "the certificate is not valid yet", 1],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "no secure connection could be agreed on (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)", 1],
];

/** Calls through client and repetitions over a wire that fails with a code of the system, before or after the request was begun. */
async function failed(method: "GET" | "POST", code: string, sent: boolean) {
  let attempts = 0;
  const fail = async (request: HttpRequest) => {
    attempts += 1;
    throw networkError(Object.assign(new Error("raw words of the system"), { code }), request, { sent, proxy: undefined });
  };
  const transport = withRetries(fail, {
    retries: 3,
    sleep: async () => undefined,
    now: () => 0,
    random: () => 0,
    notice: async () => undefined,
  });
  const client = createClient({
    transport,
    baseUrl: "https://calendar.example/wp-json",
    tokens: createStaticAuthHeaderProvider(),
    userAgent: "test",
    loginHint: () => "cal auth login",
  });
  const error = await client.send({ method, path: "/calendar/events/v1/tags", query: [] }).catch((thrown: unknown) => thrown);
  const { exitCode, message, details } = error instanceof CalError ? error : new CalError("internal", String(error));
  return { exitCode, message, attempts, hasHint: formatHints(details.hint) !== "" };
}

const methods = ["GET", "POST"] as const;

test.each(rows.flatMap((row) => methods.map((method) => [method, ...row] as const)))("%s and %s", async (method, code, says, attempts) => {
  expect(await failed(method, code, false)).toEqual({
    exitCode: 7,
    message: `${method} https://calendar.example/wp-json/calendar/events/v1/tags: ${says}`,
    attempts,
    hasHint: true,
  });
});

test.each(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EPROTO", "ECONNRESET", "EPIPE"])(
  "%s after a create was begun does not repeat it",
  async (code) => {
    const { message, ...rest } = await failed("POST", code, true);
    expect({ ...rest, unknown: message.endsWith("; the outcome is unknown: it may have been done") }).toEqual({
      exitCode: 7,
      attempts: 1,
      hasHint: true,
      unknown: true,
    });
  },
);

test("a host with several addresses reports the first", async () => {
  const refused = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
  const all = new AggregateError([refused, refused]);
  const { message } = networkError(
    all,
    { method: "GET", url: "https://calendar.example/", headers: {} },
    { sent: false, proxy: undefined },
  );
  expect(message).toBe("GET https://calendar.example/: the connection was refused");
});
