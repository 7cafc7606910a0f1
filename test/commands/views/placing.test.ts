// Which events are on which days: clocks that change, other clocks, ends that are missing; and what servers receive.

import { beforeEach, describe, expect, test } from "vitest";
import { startRequestRecorder } from "../../helpers/recorder.ts";
import { createSession } from "../../helpers/session.ts";

const server = await startRequestRecorder();
const settings = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n", CAL_TZ: "America/New_York" };
const generic = createSession({ env: settings });
const tec = createSession({ env: { ...settings, CAL_NAMESPACE: "tribe/events/v1" } });

beforeEach(server.reset);

function answer(...events: readonly object[]): void {
  const answered = {
    events: events.map((event, index) => ({ id: index + 1, title: `Event ${index + 1}`, timezone: "America/New_York", ...event })),
    total: events.length,
    total_pages: 1,
  };
  for (const namespace of ["calendar/events/v1", "tribe/events/v1"]) server.responses.set(`/wp-json/${namespace}/events`, answered);
}

const at = (start: string, end: string, more = {}) => ({ start_date: `${start}:00`, end_date: `${end}:00`, ...more });

interface Day {
  readonly date: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** `date: field field, field field` for every day that has events. */
async function placed(line: string, ...fields: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr, code } = await generic(`${line} --json -q`);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const days = JSON.parse(stdout) as readonly Day[];
  return days
    .filter(({ events }) => events.length > 0)
    .map(({ date, events }) => `${date}: ${events.map((event) => fields.map((field) => String(event[field])).join(" ")).join(", ")}`);
}

describe("a server is asked", () => {
  test.each([
    ["month 2027-02", "start_date=2027-01-01%2000%3A00%3A00&end_date=2027-03-02%2001%3A59%3A59"],
    ["week 2027-02-10 --week-start sunday", "start_date=2027-01-07%2000%3A00%3A00&end_date=2027-02-15%2001%3A59%3A59"],
    [
      "agenda --status draft --venue 4 --no-featured",
      "start_date=2026-12-15%2000%3A00%3A00&end_date=2027-01-30%2001%3A59%3A59&venue[]=4&featured=false&status=draft",
    ],
  ])("for 31 days more where it knows only starts: %s", async (line, query) => {
    await generic(line);
    expect(server.receivedRequests).toEqual([`GET /wp-json/calendar/events/v1/events?per_page=50&${query}`]);
  });

  test("for what runs where it knows that, wide enough for every clock", async () => {
    await tec("week 2027-02-10");
    expect(server.receivedRequests).toEqual([
      "GET /wp-json/tribe/events/v1/events?per_page=50&starts_before=2027-02-15&ends_after=2027-02-06",
    ]);
  });
});

describe("on the viewer's clock", () => {
  test("an event is on every day on which it runs, and not on the day that begins as it ends", async () => {
    answer(
      at("2027-02-08 20:00", "2027-02-09 00:00"),
      at("2027-02-09 23:30", "2027-02-10 00:01"),
      at("2027-02-10 00:00", "2027-02-10 00:00"),
      at("2027-02-12 09:00", "2027-02-14 09:00"),
    );
    expect(await placed("week 2027-02-08", "id", "day", "days")).toEqual([
      "2027-02-08: 1 1 1",
      "2027-02-09: 2 1 2",
      "2027-02-10: 2 2 2, 3 1 1",
      "2027-02-12: 4 1 3",
      "2027-02-13: 4 2 3",
      "2027-02-14: 4 3 3",
    ]);
  });

  test("events before and after the days are left out, those over their edges are not", async () => {
    answer(
      at("2027-02-06 20:00", "2027-02-08 00:00"),
      at("2027-02-06 20:00", "2027-02-08 00:01"),
      at("2027-02-14 23:59", "2027-02-15 08:00"),
      at("2027-02-15 00:00", "2027-02-15 08:00"),
      at("2027-01-01 00:00", "2027-12-31 00:00"),
    );
    expect(await placed("week 2027-02-08", "id")).toEqual([
      "2027-02-08: 5, 2",
      "2027-02-09: 5",
      "2027-02-10: 5",
      "2027-02-11: 5",
      "2027-02-12: 5",
      "2027-02-13: 5",
      "2027-02-14: 5, 3",
    ]);
  });

  test("a moment is requested too: what begins then runs, what ends then does not", async () => {
    answer(
      at("2027-02-09 09:00", "2027-02-09 10:00"),
      at("2027-02-09 10:00", "2027-02-09 11:00"),
      at("2027-02-09 10:01", "2027-02-09 11:00"),
    );
    expect(await placed("agenda '2027-02-09 10:00' --tz UTC", "id")).toEqual([]);
    expect(await placed("agenda '2027-02-09 10:00'", "id", "start")).toEqual(["2027-02-09: 2 2027-02-09T10:00:00-05:00"]);
    expect(await placed("agenda '2027-02-09 15:00' --tz UTC", "id", "start")).toEqual(["2027-02-09: 2 2027-02-09T15:00:00+00:00"]);
  });

  test("long events come first, the longer before the shorter, then by time and title", async () => {
    const allDay = { all_day: true };
    answer(
      at("2027-02-09 10:00", "2027-02-09 11:00", { title: "B" }),
      at("2027-02-09 10:00", "2027-02-09 11:00", { title: "A" }),
      at("2027-02-09 00:00", "2027-02-09 23:59", allDay),
      at("2027-02-09 00:00", "2027-02-10 23:59", allDay),
      at("2027-02-08 00:00", "2027-02-09 23:59", allDay),
    );
    expect(await placed("agenda 2027-02-09", "id")).toEqual(["2027-02-09: 5, 4, 3, 2, 1"]);
  });

  test("--next has whole days, as its heading says", async () => {
    answer(at("2027-01-15 05:00", "2027-01-15 07:00"), at("2027-01-15 05:00", "2027-01-15 07:01"));
    expect(await placed("agenda --next 2d", "id")).toEqual(["2027-01-15: 1, 2"]);
    expect(await placed("agenda", "id")).toEqual(["2027-01-15: 1, 2"]);
  });

  test("events of other zones are where they are seen, all-day events on their own days", async () => {
    answer(
      at("2027-02-09 08:00", "2027-02-09 09:00", { timezone: "Asia/Tokyo" }),
      at("2027-02-09 00:00", "2027-02-09 23:59", { timezone: "Asia/Tokyo", all_day: true }),
      at("2027-02-09 00:00", "2027-02-09 23:59", { timezone: "Pacific/Pago_Pago", all_day: true }),
    );
    const line = "week 2027-02-09";
    expect(await placed(line, "id", "start")).toEqual([
      "2027-02-08: 1 2027-02-08T18:00:00-05:00",
      "2027-02-09: 2 2027-02-09, 3 2027-02-09",
    ]);
    expect(await placed(`${line} --tz Pacific/Kiritimati`, "id", "start")).toEqual([
      "2027-02-09: 2 2027-02-09, 3 2027-02-09, 1 2027-02-09T13:00:00+14:00",
    ]);
  });

  test("the hour that is skipped and the hour that comes twice are distinguished by their offsets", async () => {
    answer(
      at("2027-03-14 01:30", "2027-03-14 03:30"),
      at("2027-11-07 01:30", "2027-11-07 02:30", { utc_start_date: "2027-11-07 06:30:00", utc_end_date: "2027-11-07 07:30:00" }),
      at("2027-11-07 01:30", "2027-11-07 02:30"),
    );
    expect(await placed("agenda 2027-03-14", "start", "end")).toEqual(["2027-03-14: 2027-03-14T01:30:00-05:00 2027-03-14T03:30:00-04:00"]);
    expect(await placed("agenda 2027-11-07", "id", "start")).toEqual([
      "2027-11-07: 3 2027-11-07T01:30:00-04:00, 2 2027-11-07T01:30:00-05:00",
    ]);
  });

  test("a month in which the clocks change has all its days, each once", async () => {
    for (const [month, zone, days] of [
      ["2027-03", "America/New_York", 31],
      ["2027-11", "America/New_York", 30],
      ["2027-10", "Asia/Beirut", 31],
      ["2027-09", "America/Santiago", 30],
      ["2028-02", "Europe/London", 29],
    ] as const) {
      const { stdout } = await generic(`month ${month} --tz ${zone} --field date -q`);
      expect(stdout.trim().split("\n")).toEqual(
        Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`),
      );
    }
  });
});

describe("what servers answer", () => {
  test("an end that is missing, or before the start, is the start", async () => {
    answer(
      { start_date: "2027-02-09 10:00:00" },
      at("2027-02-09 11:00", "2027-02-01 10:00"),
      at("2027-02-10 00:00", "2027-02-01 23:59", { all_day: true }),
    );
    expect(await placed("week 2027-02-09", "id", "end")).toEqual([
      "2027-02-09: 1 2027-02-09T10:00:00-05:00, 2 2027-02-09T11:00:00-05:00",
      "2027-02-10: 3 2027-02-10",
    ]);
  });

  test("texts are plain words, venues and categories their names", async () => {
    const linked = { venue: [{ venue: "A &amp; B" }, { venue: "C" }], categories: [{ id: 2, name: "M&#038;M" }, { slug: "x" }, 7] };
    answer(
      at("2027-02-09 10:00", "2027-02-09 11:00", { title: "Jazz &#8220;Night&#8221; <b>x</b>", ...linked }),
      at("2027-02-09 12:00", "2027-02-09 13:00", { venue: false, categories: [] }),
    );
    expect(await placed("agenda 2027-02-09", "title", "venue", "categories")).toEqual([
      "2027-02-09: Jazz “Night” x A & B, C M&M,category x, Event 2  ",
    ]);
  });

  test("a date that can't be read is reported, not hidden", async () => {
    answer({ start_date: "soon" }, { start_date: "0000-00-00 00:00:00", all_day: true }, at("2027-02-09 12:00", "2027-02-09 13:00"));
    const { stdout, stderr, code } = await generic("agenda 2027-02-09 --format ids -q");
    expect({ stdout, stderr, code }).toEqual({
      stdout: "3\n",
      stderr: "warning: 2 of the events have a date that can't be read and are not shown: cal events list --json\n",
      code: 0,
    });
  });

  test("a page that fails is a failure, not an empty day", async () => {
    const { stdout, code } = await createSession({ env: { ...settings, CAL_BASE_URL: "http://127.0.0.1:9/wp-json", CAL_RETRIES: "0" } })(
      "month --format table",
    );
    expect({ stdout, code }).toEqual({ stdout: "", code: 7 });
  });
});

test("noon to noon is a bar, whatever the clocks do in between; an hour less is not", async () => {
  answer(at("2027-03-13 12:00", "2027-03-14 12:00"), at("2027-03-20 12:00", "2027-03-21 11:00"));
  const terminal = createSession({ env: { ...settings, NO_COLOR: "1" }, columns: 100 });
  const { stdout } = await terminal("month 2027-03 -q");
  expect(stdout.split("\n").filter((line) => line.includes("Event"))).toEqual([
    "             │             │             │             │             │╞ · Event 1 12:00 ════════╡",
    "             │             │             │             │             │· Event 2    │· …Event 2",
  ]);
});
