// The page of a programme in a real browser: on a wide screen, on a telephone, and on paper.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { formatProgramme } from "../../src/output/programme.ts";
import { hostileTexts } from "../ical/calendar.ts";
import { launchBrowser, missingChromium } from "./chromium.ts";

const titles = [
  ...hostileTexts,
  '"><img src="https://example.org/x.png" onerror="document.title=1">',
  "<script>document.title = 1</script>",
  "nospaces".repeat(30),
  "مهرجان الموسيقى",
];

const page = formatProgramme(
  {
    days: ["2027-01-16", "2027-01-17", "2027-01-18"].map((date) => ({
      date,
      events: titles.map((title) => ({ title, hours: "20:00–23:00", details: [title, "$15"], url: `https://example.org/${title}` })),
    })),
    zone: "Europe/Paris",
  },
  "html",
);

describe.skipIf(missingChromium !== undefined)("the page of a programme in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "cal-programme-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "programme.html");
  writeFileSync(file, page);

  test.each([1200, 360])("fits %i pixels, shows every text as it is, and loads and runs nothing", async (width) => {
    const browser = await launchBrowser();
    const tab = await browser.newPage();
    const requests: string[] = [];
    tab.on("request", (request) => requests.push(request.url()));
    await tab.setViewportSize({ width, height: 900 });
    await tab.goto(pathToFileURL(file).href);
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await tab.title()).toBe("Saturday 16 January 2027 to Monday 18 January 2027");
    expect(await tab.locator(".title").count()).toBe(3 * titles.length);
    expect(
      await tab
        .locator(".title")
        .nth(titles.length - 3)
        .textContent(),
    ).toBe(titles.at(-3));
    expect(await tab.locator("script, img").count()).toBe(0);
    expect(requests).toEqual([pathToFileURL(file).href]);
  });

  test("prints on paper with the addresses of its links", async () => {
    const browser = await launchBrowser();
    const tab = await browser.newPage();
    await tab.goto(pathToFileURL(file).href);
    await tab.emulateMedia({ media: "print" });
    const shown = await tab.evaluate("getComputedStyle(document.querySelector('.title a'), '::after').content");
    expect(shown).toContain("https://example.org/");
    const pdf = await tab.pdf({ format: "A4" });
    const pages = pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(2);
  });
});
