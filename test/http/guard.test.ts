// The guard: under --dry-run and in a read-only profile no write reaches the transport.

import { expect, test } from "vitest";
import { createClient } from "../../src/api/client.ts";
import { createStaticAuthHeaderProvider } from "../../src/auth/credentials.ts";
import { CalError } from "../../src/errors.ts";
import { guard, type HttpRequest, PlannedRequest } from "../../src/http/transport.ts";

const url = "https://calendar.example/wp-json/calendar/events/v1/events";
const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PURGE"];
const writes = methods.slice(3);

/** A guarded transport, and the requests that it sent. */
function openGuard(rules: { readOnly: boolean; dryRun: boolean }) {
  const sent: HttpRequest[] = [];
  const send = guard(async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, body: new TextEncoder().encode("{}") };
  }, rules);
  return { sent, send };
}

test.each(methods)("%s is sent without rules", async (method) => {
  const { sent, send } = openGuard({ readOnly: false, dryRun: false });
  expect(await send({ method, url, headers: {} })).toMatchObject({ status: 200 });
  expect(sent).toHaveLength(1);
});

test.each(methods)("%s with --dry-run, in a read-only profile too", async (method) => {
  const { sent, send } = openGuard({ readOnly: true, dryRun: true });
  const request = { method, url, headers: {}, body: "{}" };
  const answer = await send(request);
  expect(answer instanceof PlannedRequest && answer.request === request).toBe(writes.includes(method));
  expect(sent).toHaveLength(writes.includes(method) ? 0 : 1);
});

test.each(writes)("%s is refused in a read-only profile", async (method) => {
  const { sent, send } = openGuard({ readOnly: true, dryRun: false });
  const error = await send({ method, url, headers: {} }).catch((reason: unknown) => reason);
  expect(error instanceof CalError && error.kind).toBe("forbidden");
  expect(sent).toEqual([]);
});

test("a client answers a write with the planned request, and does not send it for a read either", async () => {
  const { sent, send } = openGuard({ readOnly: false, dryRun: true });
  const client = createClient({
    transport: send,
    baseUrl: "https://calendar.example/wp-json",
    tokens: createStaticAuthHeaderProvider(undefined),
    userAgent: "cal",
    loginHint: () => "",
  });
  const request = { method: "POST", path: "/calendar/events/v1/events", query: [], body: { title: "x" } } as const;
  const planned = await client.write(request);
  expect(planned instanceof PlannedRequest && planned.request).toMatchObject({ method: "POST", url, body: '{"title":"x"}' });
  await expect(client.send(request)).rejects.toThrow("a POST request needs Client.write");
  await expect(client.fetch(request)).rejects.toThrow("a POST request needs Client.write");
  expect(sent).toEqual([]);
});
