// A real Chromium, driven by playwright-core, and a hostile site on an origin of its own.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { listenOnFreePort } from "../auth/kit.ts";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** Why no browser can be tested here, with how to install one; undefined where it can. In CI it must be there. */
export const missingChromium: string | undefined = (() => {
  if (executablePath !== undefined) return undefined;
  const text = "no Chromium: apt-get install -y --no-install-recommends chromium";
  if (process.env["CI"]) throw new Error(text);
  console.warn(`skipped: ${text}`);
  return text;
})();

const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser of one person, whose pages share their cookies; it ends with the test. */
export async function launchBrowser(more: readonly string[] = []): Promise<BrowserContext> {
  const browser = await chromium.launch({ executablePath: executablePath ?? "", args: [...args, ...more] });
  onTestFinished(() => browser.close());
  return browser.newContext();
}

/** A page of a site that is not ours, with this content. */
export async function openHostilePage(browser: BrowserContext, html: string): Promise<Page> {
  const server = createServer((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(html));
  const origin = await listenOnFreePort(server);
  const page = await browser.newPage();
  // Another name for this machine: another site to the browser.
  await page.goto(`${origin.replace("127.0.0.1", "localhost")}/`);
  return page;
}
