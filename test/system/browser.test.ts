// Logging in with a real Chromium on the sandbox's login page, and the attacks that a browser makes possible.

import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../auth/kit.ts";
import { createUser, type User } from "../auth/user.ts";
import { type FixtureOptions, startFixtureSandbox } from "../sandbox/fixtures.ts";
import { launchBrowser, missingChromium, openHostilePage } from "./chromium.ts";

/** Where the logins come back to: another address than that of tests which run beside these. */
const here = `127.0.0.1:${await findFreePort()}`;
const callback = `http://${here}/callback`;

async function createLoginFixture(options: Partial<FixtureOptions> = {}, profile: Readonly<Record<string, unknown>> = {}) {
  const box = await startFixtureSandbox({
    file: ":memory:",
    day: "2030-01-01",
    now: () => Date.UTC(2030, 0, 1),
    redirectUrls: [callback],
    ...options,
  });
  onTestFinished(() => box.close());
  const cal = await createUser({
    base_url: box.baseUrl,
    auth_url: box.authUrl,
    namespace: box.namespace,
    client_id: box.application.clientId,
    auth_method: "browser",
    ...profile,
  });
  return { box, cal };
}

/** Fills in the login form of the sandbox. */
async function logIn(page: Page, username: string): Promise<void> {
  await page.fill("#username", username);
  await page.fill("#password", `${username}-demo`);
  await page.click("button[type=submit], button:not([type])");
}

/** Starts a login and gives what the browser is to do with it. */
async function login(
  cal: User,
  act: (url: string) => Promise<unknown>,
  answers: readonly (boolean | string | (() => Promise<string>))[] = [true],
  flags: Readonly<Record<string, string | boolean>> = {},
) {
  // What goes wrong in the browser is reported at once: the flow itself would wait for minutes.
  let fail: (error: unknown) => void = () => undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const browser = async (url: string): Promise<void> => act(url).then(() => undefined, fail);
  return Promise.race([cal("login", { flags: { "redirect-url": callback, ...flags }, answers, browser }), stuck]);
}

/** Waits for what the page says. By an element: a function that is waited for is evaluated in the page, which forbids that. */
async function titleAt(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { name: title, exact: true }).waitFor();
  expect(await page.title()).toBe(`${title} - cal`);
}

describe.skipIf(missingChromium !== undefined)("a login in the browser", () => {
  test("goes to the login page and comes back; the page hands over, clears the address and says so", async () => {
    const { cal } = await createLoginFixture();
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const seen: string[] = [];
    page.on("request", (request) => seen.push(`${request.method()} ${new URL(request.url()).host}`));
    page.on("console", (message) => message.type() === "error" && seen.push(message.text()));
    const said = await login(cal, async (url) => {
      await page.goto(url);
      await logIn(page, "admin");
      await titleAt(page, "Back to your terminal");
    });
    expect(said.value).toMatchObject({ method: "browser", identity: "admin", store: "keychain", refreshable: false });
    expect(cal.questions).toEqual(["You are logged in as admin. Is that right?"]);
    expect([page.url(), await page.locator("main").getAttribute("data-state"), await page.locator("[role=status]").innerText()]).toEqual([
      callback,
      "good",
      "Back to your terminal\n\nIt has received the login. You can close this window.",
    ]);
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
    expect(seen.filter((line) => !/^(GET|POST) 127\.0\.0\.1:\d+$/.test(line))).toEqual([]);
    expect(said.stderr[0]).toMatch(/^logging in at 127\.0\.0\.1:\d+, profile default$/);
    expect(said.stderr[1]).toBe(
      `Log in with your browser. If it does not open by itself, open this address in it:\n  ${cal.openedUrls[0]}`,
    );
    expect(cal.openedUrls).toEqual([expect.stringMatching(new RegExp(`^http://${here}/start/[\\w-]{32}$`))]);
    expect((await cal("token")).value).toMatchObject({ source: "keychain" });
  });

  test("reloading, going back and coming again after the end are harmless", async () => {
    const { cal } = await createLoginFixture();
    const page = await (await launchBrowser()).newPage();
    await login(cal, async (url) => {
      await page.goto(callback).catch(() => undefined);
      await page.goto(url);
      await page.goto(callback);
      await titleAt(page, "No login came with this page");
      await page.goto(url);
      await logIn(page, "admin");
      await titleAt(page, "Back to your terminal");
    });
    await expect(page.reload()).rejects.toThrow("ERR_CONNECTION_REFUSED");
  });

  test.each(["light", "dark"] as const)("the page can be read in %s: every text has contrast enough", async (colorScheme) => {
    const { cal } = await createLoginFixture();
    const page = await (await launchBrowser()).newPage();
    await page.emulateMedia({ colorScheme });
    let contrasts: readonly number[] = [];
    await login(cal, async (url) => {
      await page.goto(url);
      await page.goto(callback);
      await titleAt(page, "No login came with this page");
      contrasts = await contrastsOf(page);
      await page.goto(url);
      await logIn(page, "admin");
      await titleAt(page, "Back to your terminal");
    });
    expect(contrasts.every((contrast) => contrast >= 4.5)).toBe(true);
    expect(contrasts.length).toBe(3);
  });

  test("what the service refuses is reported on the page and in the terminal", async () => {
    const { cal } = await createLoginFixture();
    const page = await (await launchBrowser()).newPage();
    const said = await login(cal, async (url) => {
      await page.goto(url);
      await page.goto(`${callback}?error=access_denied&error_description=Not%20you`);
      await titleAt(page, "This did not work");
    });
    expect(said.error).toMatchObject({
      kind: "unauthenticated",
      code: "access_denied",
      message: "the authentication service refused the login in the browser: Not you",
    });
  });

  /** Lets a hostile page try something in the very browser that is logging in, then finishes the login. */
  async function attacked(attack: (browser: BrowserContext, page: Page) => Promise<void>, more: readonly string[] = []) {
    const { box, cal } = await createLoginFixture();
    const browser = await launchBrowser(more);
    const page = await browser.newPage();
    const said = await login(cal, async (url) => {
      await page.goto(url);
      await attack(browser, page);
      await logIn(page, "admin");
      await titleAt(page, "Back to your terminal");
    });
    expect(said.value).toMatchObject({ identity: "admin" });
    return box;
  }

  const evil = JSON.stringify({ fragment: "accessoken=evil-token-evil", query: "" });

  test.each([
    [
      "fetches across sites",
      `fetch("${callback}", { method: "POST", mode: "no-cors", credentials: "include", body: ${JSON.stringify(evil)} }).catch(() => 0)`,
    ],
    [
      "fetches with headers across sites",
      `fetch("${callback}", { method: "POST", credentials: "include", headers: { "content-type": "application/json", "x-cal-nonce": "x" }, body: ${JSON.stringify(evil)} }).catch(() => 0)`,
    ],
    [
      "reads the page for its nonce",
      `fetch("${callback}", { credentials: "include" }).then((r) => r.text()).then((t) => { if (t.includes("nonce")) throw t; }, () => 0)`,
    ],
  ])("withstands a page that %s", async (_name, script) => {
    await attacked(async (browser) => {
      const page = await openHostilePage(browser, "<h1>hello</h1>");
      expect(await page.evaluate(`(async () => { await ${script}; return "tried"; })()`)).toBe("tried");
    });
  });

  test("withstands a page that posts a form to it, and one that frames it", async () => {
    await attacked(async (browser) => {
      const form = await openHostilePage(
        browser,
        `<form method="post" action="${callback}" enctype="text/plain"><input name='{"fragment":"accessoken=evil-token-evil","x":"' value='"}'></form>`,
      );
      await Promise.all([form.waitForURL(callback), form.evaluate("document.forms[0].submit()")]);
      expect((await form.innerText("body")).trim()).toBe("This request came from another page.");
      const frame = await openHostilePage(browser, `<iframe src="${callback}#accessoken=evil-token-evil"></iframe>`);
      await expect.poll(() => frame.frames().map((one) => one.url())).toEqual([frame.url(), "chrome-error://chromewebdata/"]);
    });
  });

  test("withstands a name of another site that leads here (DNS rebinding)", async () => {
    await attacked(
      async (browser) => {
        const page = await browser.newPage();
        const answer = await page.goto(`${callback.replace("127.0.0.1", "rebound.test")}#accessoken=evil-token-evil`);
        expect([answer?.status(), (await page.innerText("body")).trim()]).toEqual([421, "This address is not served here."]);
      },
      ["--host-resolver-rules=MAP rebound.test 127.0.0.1"],
    );
  });

  test("withstands another browser, of somebody who saw the address", async () => {
    await attacked(async () => {
      const other = await (await launchBrowser()).newPage();
      const answer = await other.goto(`${callback}#accessoken=evil-token-evil`);
      expect([answer?.status(), (await other.innerText("body")).trim()]).toEqual([
        403,
        "This browser did not start the login. Open the address that cal printed, in this browser.",
      ]);
    });
  });

  test("a forged token that a page navigates to is shown to the user, refused with --expect-user, and never replaces another silently", async () => {
    const { box, cal } = await createLoginFixture();
    const browser = await launchBrowser();
    const forge = async (url: string): Promise<void> => {
      const page = await browser.newPage();
      await page.goto(url);
      const hostile = await openHostilePage(browser, "<h1>hello</h1>");
      await hostile.evaluate(`location.href = ${JSON.stringify(`${callback}#accessoken=${box.token}`)}; 0`);
      await titleAt(hostile, "Back to your terminal");
    };
    expect((await login(cal, forge, [false])).error).toMatchObject({ kind: "declined", message: "the login was not kept" });
    expect(cal.questions).toEqual(["You are logged in as admin. Is that right?"]);
    expect((await login(cal, forge, [], { "expect-user": "editor" })).error).toMatchObject({
      code: "unexpected-user",
      message: "the login is not of editor: it is of admin",
    });
    const page = await browser.newPage();
    await login(cal, async (url) => {
      await page.goto(url);
      await logIn(page, "editor");
      await titleAt(page, "Back to your terminal");
    });
    expect((await login(cal, forge, [false])).error).toMatchObject({ kind: "declined" });
    expect([cal.questions.at(-1), (await cal.credentialStore.findLogin("default"))?.identity]).toEqual([
      "The profile was logged in as editor. Replace that by admin?",
      "editor",
    ]);
  });

  test("an unknown token is not stored", async () => {
    const { cal } = await createLoginFixture();
    const page = await (await launchBrowser()).newPage();
    const said = await login(cal, async (url) => {
      await page.goto(url);
      await page.goto(`${callback}#accessoken=made-up-token-0123456789`);
      await titleAt(page, "Back to your terminal");
    });
    expect(said.error).toMatchObject({
      kind: "unauthenticated",
      message: expect.stringContaining("the site refused the token that came from the browser"),
    });
    expect(await cal.credentialStore.listLogins()).toEqual([]);
  });

  test("a WordPress site's page makes an application password, and what it shows is pasted", async () => {
    const { cal } = await createLoginFixture(
      { serverProfile: "the-events-calendar" },
      { auth_method: "application-password", username: "editor" },
    );
    const page = await (await launchBrowser()).newPage();
    const approved = async (): Promise<string> => {
      await page.goto(cal.openedUrls[0] ?? "");
      await page.fill("#username", "editor");
      await page.fill("#password", "editor-demo");
      await page.click("button[value=approve]");
      return page.locator("#password").innerText();
    };
    const said = await cal("login", { flags: { browser: true }, answers: [approved], browser: async () => undefined });
    expect([said.value, cal.questions]).toEqual([
      expect.objectContaining({ method: "application-password", identity: "editor" }),
      ["Application password (spaces are fine)"],
    ]);
    expect((await cal("status", { flags: { check: true } })).rows).toEqual([expect.objectContaining({ check: "valid" })]);
  });
});

/** Contrast of heading, text and sign against what is behind them (WCAG 2). */
async function contrastsOf(page: Page): Promise<readonly number[]> {
  const script = `(() => {
    const color = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
    return { behind: color("main", "backgroundColor"), texts: [color("h1", "color"), color("p", "color"), color("svg", "color")] };
  })()`;
  const colors = await page.evaluate<{ readonly behind: string; readonly texts: readonly string[] }>(script);
  const light = (text: string): number => {
    const [r = 0, g = 0, b = 0] = (text.match(/\d+/g) ?? [])
      .map((part) => Number(part) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return colors.texts.map((text) => {
    const [high = 0, low = 0] = [light(text), light(colors.behind)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  });
}
