// `clone` and `open`.

import { describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { createSession, expectExitCode, type Session } from "../../helpers/session.ts";

const json = async (cal: Session, line: string) => JSON.parse((await expectExitCode(cal(`${line} --json`), 0)).stdout);

const links = (value: unknown) => [value].flat().map((item) => Object(item).id);

/** What a copy takes over of an event, links by their ids; where texts are rendered, without them. */
function carried(event: Record<string, unknown>, serverProfile: string) {
  const plain = ["title", "status", "timezone", "all_day", "cost", "show_map", "show_map_link", "hide_from_listings", "sticky", "featured"];
  return {
    ...Object.fromEntries(plain.map((name) => [name, event[name]])),
    texts: serverProfile === "contract" ? [event["description"], event["excerpt"]] : undefined,
    website: event["website"] === event["url"] ? "" : event["website"],
    image: Object(event["image"]).id ?? event["image"],
    links: ["venue", "organizer", "categories", "tags"].map((name) => links(event[name])),
    length: Date.parse(`${event["end_date"]}Z`) - Date.parse(`${event["start_date"]}Z`),
  };
}

describe.each(["contract", "the-events-calendar"])("clone with the server profile %s", (serverProfile) => {
  const cal = createSession({ env: { CAL_SANDBOX_HABITS: serverProfile } });

  test.each([103, 107, 114, 120, 131, 148])("event %i keeps all but what is its own, and its length", async (id) => {
    const from = await json(cal, `events get ${id}`);
    const { stdout, stderr } = await expectExitCode(cal(`events clone ${id} --start-date '2027-05-10 18:00' --json`), 0);
    const copy = JSON.parse(stdout);
    // Recorded: such a server drops a price of 0 from a create. It is restored.
    expect(carried(copy, serverProfile)).toEqual(carried(from, serverProfile));
    expect(stderr).not.toContain("the server keeps cost");
    expect(copy.start_date).toBe(from.all_day ? "2027-05-10 00:00:00" : "2027-05-10 18:00:00");
    expect(copy.slug).not.toBe(from.slug);
    expect(copy.id).not.toBe(id);
  });

  test("explicit flags take precedence, and what was cleared is not there", async () => {
    const copy = await json(
      cal,
      "events clone 103 --title Other --duration 30m --start-date 2027-05-10T18:00 --clear website,cost --status draft",
    );
    expect(copy).toMatchObject({ title: "Other", status: "draft", start_date: "2027-05-10 18:00:00", end_date: "2027-05-10 18:30:00" });
    expect([copy.website === "" || copy.website === copy.url, copy.cost]).toEqual([true, ""]);
  });

  test("an end before the start is refused, and nothing is created", async () => {
    const { stderr } = await expectExitCode(cal("events clone 103 --end-date 2020-01-01"), 2);
    expect(stderr).toContain("would end (2020-01-01 23:59:59) before it starts");
  });

  test("a venue needs another name where the server would merge it", async () => {
    const outcome = await cal("venues clone town-hall --format count");
    expect(outcome.code, outcome.stderr).toBe(serverProfile === "contract" ? 0 : 6);
    const copy = await json(cal, "venues clone town-hall --venue 'Town Hall Annex'");
    expect(copy).toMatchObject({ venue: "Town Hall Annex", address: "1 Main Street", city: "Albany" });
  });

  test("a scheduled event becomes a draft, and that is said", async () => {
    const late = await json(cal, "events create --title Late --start-date 2028-01-01 --duration 1h --status future --date 2027-12-01");
    const { stdout, stderr } = await expectExitCode(cal(`events clone ${late.id} --field status`), 0);
    expect({ stdout, isReported: stderr.includes("the copy is a draft: the status future is not copied") }).toEqual({
      stdout: "draft\n",
      isReported: true,
    });
  });
});

describe("open", () => {
  const page = "https://calendar.example/event/jazz/";
  const site = async () => {
    const server = await startRequestRecorder();
    server.responses.set("/wp-json/calendar/events/v1/events/7", { id: 7, title: "T", url: page });
    return { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n" };
  };

  test("opens the address that it prints", async () => {
    const opened: string[] = [];
    const cal = createSession({ env: await site(), onOpenUrl: (url) => opened.push(url) });
    const { stdout, stderr } = await expectExitCode(cal("events open 7"), 0);
    expect({ stdout, opened, stderr }).toEqual({ stdout: `${page}\n`, opened: [page], stderr: "" });
    await expectExitCode(cal("events open 7 --dry-run"), 0);
    expect(opened).toHaveLength(1);
  });

  test.each(["javascript:alert(1)", "file:///etc/passwd", "-x", "", null])(
    "gives the browser nothing but pages of the web: %j",
    async (url) => {
      const server = await startRequestRecorder();
      server.responses.set("/wp-json/calendar/events/v1/events/7", { id: 7, title: "T", url });
      const opened: string[] = [];
      const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n" };
      const { stderr } = await expectExitCode(createSession({ env, onOpenUrl: (address) => opened.push(address) })("events open 7"), 3);
      expect({ opened, isReported: stderr.includes("has no page") }).toEqual({ opened: [], isReported: true });
    },
  );

  test("says so where no browser starts", async () => {
    const { stderr } = await expectExitCode(createSession({ env: await site() })("events open 7"), 0);
    expect(stderr).toBe("warning: no browser could be started; open the address yourself\n");
  });

  test("the sandbox has records with lasting addresses and no pages behind them", async () => {
    const opened: string[] = [];
    const cal = createSession({ onOpenUrl: (url) => opened.push(url) });
    const { stdout, stderr } = await expectExitCode(cal("events open 103"), 0);
    expect(stderr).toBe("warning: no browser was started: the sandbox has no web pages\n");
    expect([stdout, opened]).toEqual(["http://127.0.0.1:8123/event/jazz-night-4/\n", []]);
    expect(await cal("events open 103 --dry-run")).toEqual({ stdout, stderr: "", code: 0 });
  });
});
