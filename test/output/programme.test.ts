// A programme as Markdown and HTML: no text of a site is more than a text.
import { expect, test } from "vitest";
import { formatProgramme, type Programme } from "../../src/output/programme.ts";
import { hostileTexts } from "../ical/calendar.ts";

const createProgramme = (title: string, url = "https://example.org/a/"): Programme => ({
  days: [{ date: "2027-01-16", events: [{ title, hours: "20:00–23:00", details: [title, "$15"], url }] }],
  zone: "Europe/Paris",
});

test("Markdown has a heading for each day and a line for each event", () => {
  expect(formatProgramme(createProgramme("Jazz Night"), "markdown")).toBe(
    [
      "# Saturday 16 January 2027",
      "",
      "Times: Europe/Paris",
      "",
      "## Saturday 16 January 2027",
      "",
      "- 20:00–23:00 · [**Jazz Night**](<https://example.org/a/>) · Jazz Night · \\$15",
      "",
    ].join("\n"),
  );
});

test.each([
  ["*a* _b_ `c` [d](http://e) ![f](g) <i> #h |", "\\*a\\* \\_b\\_ \\`c\\` \\[d\\]\\(http\\://e\\) !\\[f\\]\\(g\\) \\<i\\> \\#h \\|"],
  ["&lt; www.example.org me@example.org \\", "\\&lt; www\\.example.org me\\@example.org \\\\"],
])("Markdown escapes %s", (title, escaped) => {
  expect(formatProgramme(createProgramme(title, ""), "markdown")).toContain(`- 20:00–23:00 · **${escaped}** · ${escaped} · \\$15\n`);
});

test("HTML has no markup of a text", () => {
  const plain = formatProgramme(createProgramme("x"), "html");
  const countTags = (html: string) => html.match(/</g)?.length;
  for (const text of [...hostileTexts, `"><img src=x onerror=alert(1)>`, "</title></style><script>", "' onclick='alert(1)"])
    expect(countTags(formatProgramme(createProgramme(text), "html"))).toBe(countTags(plain));
});

test.each(["javascript:alert(1)", "data:text/html,x", "//example.org", "", "https://[bad"])("no format links to %s", (url) => {
  expect(formatProgramme(createProgramme("x", url), "html")).not.toContain("<a ");
  expect(formatProgramme(createProgramme("x", url), "markdown")).not.toContain("](");
});

test.each([
  [
    'https://example.org/?a="><b>&b=1',
    'href="https://example.org/?a=%22%3E%3Cb%3E&#38;b=1"',
    "(<https://example.org/?a=%22%3E%3Cb%3E&amp;b=1>)",
  ],
  ["https://example.org/a)\n#x\\y", 'href="https://example.org/a)#x\\y"', "(<https://example.org/a)#x%5Cy>)"],
])("the address %s stays an address", (url, html, markdown) => {
  expect(formatProgramme(createProgramme("x", url), "html")).toContain(html);
  expect(formatProgramme(createProgramme("x", url), "markdown")).toContain(markdown);
});
