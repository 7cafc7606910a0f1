// Which proxy an address is asked through, by the variables that people set.

import { describe, expect, test } from "vitest";
import { CalError, formatHints } from "../../src/errors.ts";
import { type ProxySettings, resolveProxy } from "../../src/http/undici.ts";

const both: ProxySettings = { http: "http://plain.example:3128", https: "http://secure.example:3128" };

const rows: readonly (readonly [url: string, proxies: ProxySettings, through: string | undefined])[] = [
  ["https://calendar.example/", {}, undefined],
  ["https://calendar.example/", both, "secure.example:3128"],
  ["http://calendar.example/", both, "plain.example:3128"],
  ["https://calendar.example/", { http: "http://plain.example:3128" }, "plain.example:3128"],
  ["http://calendar.example/", { https: "http://secure.example:3128" }, undefined],
  ["https://calendar.example/", { https: "secure.example:3128" }, "secure.example:3128"],
  ["https://calendar.example/", { https: "https://user:x@secure.example" }, "secure.example"],
  ["https://localhost/", both, undefined],
  ["https://cal.localhost:8443/", both, "secure.example:3128"],
  ["http://127.0.0.53/", both, undefined],
  ["http://127.0.0.1.calendar.example/", both, "plain.example:3128"],
  ["http://evillocalhost/", both, "plain.example:3128"],
  ["http://[::1]:8080/", both, undefined],
  ["https://calendar.example/", { ...both, no: "*" }, undefined],
  ["https://calendar.example/", { ...both, no: "other.example, calendar.example" }, undefined],
  ["https://calendar.example/", { ...both, no: "EXAMPLE" }, undefined],
  ["https://calendar.example/", { ...both, no: ".calendar.example" }, undefined],
  ["https://a.calendar.example/", { ...both, no: "*.calendar.example" }, undefined],
  ["https://notcalendar.example/", { ...both, no: "calendar.example" }, "secure.example:3128"],
  ["https://calendar.example/", { ...both, no: "calendar.example:443" }, undefined],
  ["https://calendar.example:8443/", { ...both, no: "calendar.example:443" }, "secure.example:3128"],
  ["http://192.0.2.1:8080/", { ...both, no: "192.0.2.1:8080" }, undefined],
  ["https://calendar.example/", { ...both, no: " , ,," }, "secure.example:3128"],
];

test.each(rows)("%s with %j", (url, proxies, through) => {
  expect(resolveProxy(new URL(url), proxies)?.host).toBe(through);
});

/** What is wrong with the proxy for https. */
function refusal(https: string): Pick<CalError, "kind" | "message"> & { readonly hint: string | undefined } {
  try {
    resolveProxy(new URL("https://calendar.example/"), { https });
  } catch (error) {
    if (error instanceof CalError) return { kind: error.kind, message: error.message, hint: formatHints(error.details.hint) || undefined };
    throw error;
  }
  throw new Error("it was taken");
}

describe("what is not the address of a proxy is reported without its value", () => {
  test.each(["http://", "://", "socks5://user:s3cret@proxy.example", "http://user:s3cret@:80", "ftp://s3cret"])("%s", (https) => {
    expect(refusal(https)).toEqual({
      kind: "local",
      message: "HTTPS_PROXY is not the address of a proxy",
      hint: "set it to http://<host>:<port>, or unset it: unset HTTPS_PROXY",
    });
  });

  test.each(["http://ann:50%off@proxy.example:3128", "http://a%zz@proxy.example"])("%s", (https) => {
    expect(refusal(https)).toEqual({
      kind: "local",
      message: "the user name and the password in HTTPS_PROXY can't be read: a % in it is not encoded",
      hint: "write %25 for it",
    });
  });
});
