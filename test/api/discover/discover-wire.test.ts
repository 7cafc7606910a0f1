// Finding the calendar of a website: redirects, hosts and schemes.

import { afterEach, describe, expect, it } from "vitest";
import { discover } from "../../../src/api/discover.ts";
import type { HttpRequest, Transport } from "../../../src/http/transport.ts";
import { createJsonResponse, notFoundResponse, startTestSite, type TestResponse } from "./site.ts";

const served: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map(({ close }) => close()));
});

async function site(answers: Readonly<Record<string, TestResponse>>) {
  const one = await startTestSite(answers);
  served.push(one);
  return one;
}

const calendar = createJsonResponse({ namespaces: ["calendar/events/v1"] });

describe("redirects", () => {
  const to = (location: string, status = 301): TestResponse => ({ status, headers: { location }, body: "" });

  it("are followed to where the site is, and the address in the end is stored", async () => {
    const { origin, send } = await site({
      "/": to("/site/", 302),
      "/site/": notFoundResponse,
      "/site/wp-json/": to("/rest/", 308),
      "/rest/": calendar,
    });
    expect(await discover({ send, address: origin })).toMatchObject({ base_url: `${origin}/rest`, warnings: [] });
  });

  it("to another host are reported", async () => {
    const other = await startTestSite({ "/": calendar });
    const { origin, send } = await site({ "/": to(`${other.origin}/`) });
    const found = await discover({ send, address: origin });
    await other.close();
    expect(found).toMatchObject({
      base_url: other.origin,
      warnings: [`the site redirects to ${other.origin}; your login was not sent there`],
    });
  });

  it("of a place where nothing was found are not reported", async () => {
    const { origin, port, send } = await site({ "/wp-json/": to("/login"), "/?rest_route=/": calendar });
    const elsewhere = await site({ "/wp-json/": to(`http://localhost:${port}/login`), "/?rest_route=/": calendar });
    expect([await discover({ send, address: origin }), await discover({ send, address: elsewhere.origin })]).toMatchObject([
      { base_url: `${origin}/?rest_route=/`, warnings: [] },
      { base_url: `${elsewhere.origin}/?rest_route=/`, warnings: [] },
    ]);
  });

  it("of the front page to itself do not hide the interface", async () => {
    const { origin, send } = await site({ "/": to("/"), "/wp-json/": calendar });
    expect(await discover({ send, address: origin })).toMatchObject({ base_url: `${origin}/wp-json`, warnings: [] });
  });

  it.each([
    ["/?again", "redirects more than 5 times"],
    ["ftp://127.0.0.1/", "redirects to ftp://127.0.0.1, which is not followed"],
  ])("to %s are not followed for ever", async (location, message) => {
    const { origin, send } = await site({ "/": to(location), "/?again": to("/") });
    await expect(discover({ send, address: `${origin}/` })).rejects.toMatchObject({ kind: "local", message: `${origin}/ ${message}` });
  });
});

describe("https", () => {
  const answer = ({ status, headers, body }: TestResponse) => ({
    status,
    headers: headers as Record<string, string>,
    body: new TextEncoder().encode(body),
  });
  const web = (answers: Record<string, TestResponse>) => {
    const requested: string[] = [];
    const send: Transport = async ({ url }: HttpRequest) => {
      requested.push(url);
      return answer(answers[url] ?? notFoundResponse);
    };
    return { asked: requested, send };
  };
  const link = (url: string): TestResponse => ({ ...notFoundResponse, headers: { link: `<${url}>; rel="https://api.w.org/"` } });

  it("is never left by a redirect", async () => {
    const { send, asked: requested } = web({
      "https://a.example/": { status: 302, headers: { location: "http://a.example/x?token=1" }, body: "" },
    });
    await expect(discover({ send, address: "a.example" })).rejects.toMatchObject({
      kind: "local",
      message: "https://a.example/ redirects to http://a.example, which is not followed",
    });
    expect(requested).toEqual(["https://a.example/"]);
  });

  it("is stored where a site behind a proxy names itself with http", async () => {
    const { send } = web({ "https://a.example/": link("http://a.example/wp-json/"), "https://a.example/wp-json/": calendar });
    expect((await discover({ send, address: "a.example" })).base_url).toBe("https://a.example/wp-json");
  });

  it("is not given up for another host that a page names", async () => {
    const { send, asked: requested } = web({ "https://a.example/": link("http://b.example/wp-json/") });
    await expect(discover({ send, address: "a.example" })).rejects.toMatchObject({ kind: "local" });
    expect(requested.filter((url) => !url.startsWith("https://a.example/"))).toEqual([]);
  });

  it("may be at another host, and that is reported", async () => {
    const { send } = web({
      "https://a.example/": link("https://api.b.example/"),
      "https://api.b.example/": calendar,
    });
    expect(await discover({ send, address: "a.example" })).toMatchObject({
      base_url: "https://api.b.example",
      warnings: ["a.example names api.b.example as the home of its interface"],
    });
  });
});
