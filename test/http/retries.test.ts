// Requests that the client itself gave up are not repeated.

import { expect, test } from "vitest";
import { withRetries } from "../../src/http/retries.ts";
import { NetworkError } from "../../src/http/transport.ts";

const request = { method: "GET", url: "http://127.0.0.1:9/events", headers: {} };

test.each([
  ["ECONNRESET", 3],
  ["UND_ERR_DESTROYED", 1],
])("a GET that ends with %s is sent %i times", async (code, times) => {
  let sent = 0;
  const notices: string[] = [];
  const send = withRetries(
    () => {
      sent += 1;
      return Promise.reject(new NetworkError("lost", true, { code }));
    },
    {
      retries: 2,
      sleep: () => Promise.resolve(),
      now: () => 0,
      random: () => 0,
      notice: (text) => {
        notices.push(text);
        return Promise.resolve();
      },
    },
  );
  await expect(send(request)).rejects.toThrow("lost");
  expect([sent, notices.length]).toEqual([times, times - 1]);
});
