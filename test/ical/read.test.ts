// iCalendar events as fields: times as instants, rules, exceptions, zones, texts, and files that are wrong or hostile.
import { describe, expect, test } from "vitest";
import { CalError } from "../../src/errors.ts";
import { event, instants, parse, starts } from "./parsed.ts";

const berlin = "DTSTART;TZID=Europe/Berlin";

/** A zone with the rules of Berlin under a name that nobody knows. */
const ownZone = [
  "BEGIN:VTIMEZONE",
  "TZID:Our own zone",
  "BEGIN:DAYLIGHT",
  "DTSTART:19700329T020000",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "END:DAYLIGHT",
  "BEGIN:STANDARD",
  "DTSTART:19701025T030000",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "END:STANDARD",
  "END:VTIMEZONE",
];

function one(...lines: readonly string[]) {
  const { rows } = parse(event(...lines));
  expect(rows).toHaveLength(1);
  return rows[0] ?? expect.fail();
}

describe("times", () => {
  test.each<[string, readonly string[], string]>([
    ["UTC", ["DTSTART:20270116T190000Z", "DTEND:20270116T210000Z"], "2027-01-16T19:00Z/2027-01-16T21:00Z"],
    ["a zone in winter", [`${berlin}:20270116T200000`, "DURATION:PT2H"], "2027-01-16T19:00Z/2027-01-16T21:00Z"],
    ["a zone in summer", [`${berlin}:20270716T200000`, "DURATION:PT2H"], "2027-07-16T18:00Z/2027-07-16T20:00Z"],
    [
      "a zone without daylight saving",
      ["DTSTART;TZID=Asia/Kolkata:20270716T200000", "DURATION:PT30M"],
      "2027-07-16T14:30Z/2027-07-16T15:00Z",
    ],
    ["a duration across the change of the clocks", [`${berlin}:20270328T000000`, "DURATION:PT6H"], "2027-03-27T23:00Z/2027-03-28T05:00Z"],
    ["a day across the change of the clocks", [`${berlin}:20270327T200000`, "DURATION:P1D"], "2027-03-27T19:00Z/2027-03-28T18:00Z"],
    ["a time that the clocks skip", [`${berlin}:20270328T023000`], "2027-03-28T01:30Z/2027-03-28T01:30Z"],
    ["a time that happens twice is its first", [`${berlin}:20271031T023000`], "2027-10-31T00:30Z/2027-10-31T00:30Z"],
    [
      "an end after a time that happened twice",
      ["DTSTART:20271031T013000Z", "DTEND:20271031T020000Z"],
      "2027-10-31T01:30Z/2027-10-31T02:00Z",
    ],
    ["floating", ["DTSTART:20270116T200000", "DTEND:20270116T210000"], "2027-01-16T19:00Z/2027-01-16T20:00Z"],
    [
      "a start and an end in two zones",
      [`${berlin}:20270116T200000`, "DTEND;TZID=Europe/London:20270116T200000"],
      "2027-01-16T19:00Z/2027-01-16T20:00Z",
    ],
    ["a Windows name", ["DTSTART;TZID=Eastern Standard Time:20270716T200000"], "2027-07-17T00:00Z/2027-07-17T00:00Z"],
    [
      "a name of Outlook on the web",
      ['DTSTART;TZID="(UTC-05:00) Eastern Time (US & Canada)":20270716T200000'],
      "2027-07-17T00:00Z/2027-07-17T00:00Z",
    ],
    ["UTC+n", ["DTSTART;TZID=UTC+5:20270716T200000"], "2027-07-16T15:00Z/2027-07-16T15:00Z"],
    ["a path", ["DTSTART;TZID=/example.org/1/America/New_York:20270716T200000"], "2027-07-17T00:00Z/2027-07-17T00:00Z"],
    ["one whole day", ["DTSTART;VALUE=DATE:20270116"], "2027-01-16/2027-01-16"],
    ["whole days with their exclusive end", ["DTSTART;VALUE=DATE:20270116", "DTEND;VALUE=DATE:20270118"], "2027-01-16/2027-01-17"],
    ["whole days with a duration", ["DTSTART;VALUE=DATE:20270116", "DURATION:P2D"], "2027-01-16/2027-01-17"],
  ])("%s", (_name, lines, expected) => {
    expect(instants(one(...lines))).toBe(expected);
  });

  test.each([
    "20270115T120000",
    "20270328T013000",
    "20270328T023000",
    "20270328T033000",
    "20270715T120000",
    "20271031T023000",
    "20271031T033000",
  ])("%s in a zone that the file describes is the same instant as in the zone that it copies", (wall) => {
    const own = parse([...ownZone, ...event(`DTSTART;TZID=Our own zone:${wall}`)]);
    expect(own.rows.map(instants)).toEqual([instants(one(`${berlin}:${wall}`))]);
    expect(own.warnings).toEqual(['the zone "Our own zone" is described in the file: its times are converted to Europe/Berlin']);
  });

  test("times of a zone that the file describes become those of the event zone, and in UTC where that has them twice", () => {
    const lines = ["BEGIN:VTIMEZONE", "TZID:Custom", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100"];
    const zone = [...lines, "END:STANDARD", "END:VTIMEZONE"];
    const { rows } = parse([
      ...zone,
      ...event("DTSTART;TZID=Custom:20270716T200000"),
      ...event("UID:e2", "DTSTART;TZID=Custom:20271031T023000"),
    ]);
    expect(rows.map(({ values }) => [values["start_date"], values["timezone"]])).toEqual([
      ["2027-07-16 21:00:00", "Europe/Berlin"],
      ["2027-10-31 01:30:00", "UTC"],
    ]);
  });

  test("zones that nobody knows, and floating times, are said once", () => {
    const { rows, warnings } = parse([
      ...event("DTSTART;TZID=Nowhere:20270116T200000"),
      ...event("UID:e2", "DTSTART:20270116T200000"),
      ...event("UID:e3", "DTSTART:20270117T200000"),
    ]);
    expect(starts(rows)).toEqual(["2027-01-16T19:00Z", "2027-01-16T19:00Z", "2027-01-17T19:00Z"]);
    expect(warnings).toEqual([
      "some times have no zone: Europe/Berlin is taken",
      'the zone "Nowhere" is not known: Europe/Berlin is taken',
    ]);
  });

  test.each([
    ["no DTSTART", ["DTEND:20270116T200000Z"], "the event has no DTSTART"],
    ["no date", ["DTSTART:next year"], 'DTSTART: "next year" is not a date'],
    ["no such day", ["DTSTART:20270231T200000Z"], 'DTSTART: "20270231T200000Z" is not a date'],
    ["an end before the start", ["DTSTART:20270116T200000Z", "DTEND:20270116T190000Z"], "it ends before it starts"],
    ["a negative duration", ["DTSTART:20270116T200000Z", "DURATION:-PT1H"], 'DURATION "-PT1H" is not a length of time'],
    ["an endless duration", ["DTSTART:20270116T200000Z", "DURATION:P9999W"], 'DURATION "P9999W" is not a length of time'],
  ])("%s is a problem of the row", (_name, lines, message) => {
    expect(one(...lines).problems).toEqual([{ message }]);
  });
});

describe("rules", () => {
  test("a series keeps its wall time across both changes of the clocks, and its keys are UTC instants", () => {
    const { rows } = parse(event(`${berlin}:20270326T200000`, "DURATION:PT2H", "RRULE:FREQ=DAILY;COUNT=4"));
    expect(rows.map(instants)).toEqual([
      "2027-03-26T19:00Z/2027-03-26T21:00Z",
      "2027-03-27T19:00Z/2027-03-27T21:00Z",
      "2027-03-28T18:00Z/2027-03-28T20:00Z",
      "2027-03-29T18:00Z/2027-03-29T20:00Z",
    ]);
    expect(rows.map(({ key }) => key)).toEqual([
      "e1 20270326T190000Z",
      "e1 20270327T190000Z",
      "e1 20270328T180000Z",
      "e1 20270329T180000Z",
    ]);
    const autumn = parse(event(`${berlin}:20271030T200000`, "RRULE:FREQ=DAILY;COUNT=2"));
    expect(starts(autumn.rows)).toEqual(["2027-10-30T18:00Z", "2027-10-31T19:00Z"]);
  });

  test("a zone that the file describes gives the series of the zone that it copies", () => {
    const rule = ["DURATION:PT2H", "RRULE:FREQ=WEEKLY;UNTIL=20271115T190000Z", "EXDATE;TZID=Our own zone:20271025T200000"];
    const own = parse([...ownZone, ...event("DTSTART;TZID=Our own zone:20270301T200000", ...rule)]).rows;
    const named = parse(event(`${berlin}:20270301T200000`, ...rule.slice(0, 2), "EXDATE;TZID=Europe/Berlin:20271025T200000")).rows;
    expect(own.map(instants)).toEqual(named.map(instants));
    expect(own.map(({ key }) => key)).toEqual(named.map(({ key }) => key));
    expect(own).toHaveLength(37);
  });

  test("keys of floating times are wall times, and of whole days dates, in every zone", () => {
    const keys = (zone: string) =>
      parse(
        [
          ...event("DTSTART:20270328T023000", "RRULE:FREQ=DAILY;COUNT=2"),
          ...event("UID:e2", "DTSTART;VALUE=DATE:20270328", "RRULE:FREQ=DAILY;COUNT=2"),
        ],
        {
          zone,
        },
      ).rows.map(({ key }) => key);
    expect(keys("Europe/Berlin")).toEqual(["e1 20270328T023000", "e1 20270329T023000", "e2 20270328", "e2 20270329"]);
    expect(keys("America/New_York")).toEqual(keys("Europe/Berlin"));
  });

  test("RDATE adds, EXDATE takes away, as dates, times and periods", () => {
    const lines = [`${berlin}:20270104T200000`, "DTEND;TZID=Europe/Berlin:20270104T210000", "RRULE:FREQ=WEEKLY;COUNT=3"];
    const more = ["RDATE;TZID=Europe/Berlin:20270105T200000", "RDATE;VALUE=PERIOD:20270106T190000Z/PT3H", "EXDATE:20270111T190000Z"];
    const { rows } = parse(event(...lines, ...more));
    expect(rows.map(instants)).toEqual([
      "2027-01-04T19:00Z/2027-01-04T20:00Z",
      "2027-01-05T19:00Z/2027-01-05T20:00Z",
      "2027-01-06T19:00Z/2027-01-06T22:00Z",
      "2027-01-18T19:00Z/2027-01-18T20:00Z",
    ]);
    const byDay = parse(event(...lines, "EXDATE;VALUE=DATE:20270111,20270118"));
    expect(starts(byDay.rows)).toEqual(["2027-01-04T19:00Z"]);
  });

  test("an exception, a cancelled one, and one for all later occurrences", () => {
    const { rows } = parse([
      ...event(`${berlin}:20270301T200000`, "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=6"),
      ...[
        "BEGIN:VEVENT",
        "UID:e1",
        "RECURRENCE-ID;TZID=Europe/Berlin:20270308T200000",
        `${berlin}:20270309T210000`,
        "SUMMARY:Moved",
        "END:VEVENT",
      ],
      ...["BEGIN:VEVENT", "UID:e1", "RECURRENCE-ID:20270315T190000Z", `${berlin}:20270315T200000`, "STATUS:CANCELLED", "END:VEVENT"],
      ...["BEGIN:VEVENT", "UID:e1", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270322T200000", `${berlin}:20270322T180000`],
      ...["DURATION:PT2H", "SUMMARY:Earlier", "END:VEVENT"],
    ]);
    expect(rows.map((row) => [row.key, instants(row), row.values["title"], row.cancelled])).toEqual([
      ["e1 20270301T190000Z", "2027-03-01T19:00Z/2027-03-01T20:00Z", "Jazz Night", undefined],
      ["e1 20270308T190000Z", "2027-03-09T20:00Z/2027-03-09T20:00Z", "Moved", undefined],
      ["e1 20270315T190000Z", "2027-03-15T19:00Z/2027-03-15T19:00Z", undefined, true],
      ["e1 20270322T190000Z", "2027-03-22T17:00Z/2027-03-22T19:00Z", "Earlier", undefined],
      ["e1 20270329T180000Z", "2027-03-29T16:00Z/2027-03-29T18:00Z", "Earlier", undefined],
      ["e1 20270405T180000Z", "2027-04-05T16:00Z/2027-04-05T18:00Z", "Earlier", undefined],
    ]);
  });

  test("an exception without its series is an event with its own key", () => {
    const { rows } = parse(event("RECURRENCE-ID;RANGE=THISANDFUTURE:20270308T190000Z", "DTSTART:20270309T190000Z"));
    expect(rows.map(({ key }) => key)).toEqual(["e1 20270308T190000Z"]);
    expect(rows[0]?.warnings).toEqual(["it changes all later occurrences too, but the series is not in the file"]);
  });

  test("--from and --until bound the occurrences, and no event without a rule", () => {
    const range = { from: Date.parse("2027-01-05T00:00:00Z"), until: Date.parse("2027-01-06T23:59:59Z") };
    const lines = [...event("DTSTART:20270101T190000Z", "RRULE:FREQ=DAILY"), ...event("UID:e2", "DTSTART:20200101T190000Z")];
    expect(starts(parse(lines, range).rows)).toEqual(["2027-01-05T19:00Z", "2027-01-06T19:00Z", "2020-01-01T19:00Z"]);
  });

  test("the examples of RFC 5545 for rules that skip what does not exist", () => {
    const until = Date.parse("2028-12-31T00:00:00Z");
    expect(starts(parse(event("DTSTART;VALUE=DATE:20270131", "RRULE:FREQ=MONTHLY;COUNT=4")).rows)).toEqual([
      "2027-01-31",
      "2027-03-31",
      "2027-05-31",
      "2027-07-31",
    ]);
    expect(starts(parse(event("DTSTART;VALUE=DATE:20240229", "RRULE:FREQ=YEARLY"), { until }).rows)).toEqual(["2024-02-29", "2028-02-29"]);
    const skipped = parse(event(`${berlin}:20270327T023000`, "RRULE:FREQ=DAILY;COUNT=2"));
    expect(starts(skipped.rows)).toEqual(["2027-03-27T01:30Z", "2027-03-29T00:30Z"]);
  });

  test("a rule that is malformed, or can't be expanded, is a problem of its event", () => {
    const rules = ["FREQ=SOMETIMES;COUNT=2", "INTERVAL=2;COUNT=2", "FREQ=DAILY;UNTIL=soon", "FREQ=WEEKLY;INTERVAL=0;COUNT=2"];
    for (const rule of rules) expect(one("DTSTART:20270101T190000Z", `RRULE:${rule}`).problems, rule).toHaveLength(1);
    expect(one("DTSTART:20270101T190000Z", "EXRULE:FREQ=SOMETIMES", "RRULE:FREQ=DAILY;COUNT=2").problems).toHaveLength(1);
  });
});

describe("fields", () => {
  test("texts, links and states", () => {
    const row = one(
      "DTSTART:20270116T190000Z",
      "DESCRIPTION:Bring your horn\\, 7 < 8 & more\\nNext line",
      "LOCATION:Blue Note Cellar\\nMain Street 1\\, Vienna",
      "GEO:48.2;16.37",
      'ORGANIZER;CN="Cellar, Ltd.":mailto:jazz@example.com',
      "CATEGORIES:Jazz,Late\\, loud",
      "CATEGORIES:Jazz",
      "URL:https://example.com/jazz",
      "ATTACH:https://example.com/program.pdf",
      "ATTACH;FMTTYPE=image/png:https://example.com/poster",
      "STATUS:TENTATIVE",
    );
    expect(row.values).toEqual({
      title: "Jazz Night",
      start_date: "2027-01-16 19:00:00",
      end_date: "2027-01-16 19:00:00",
      timezone: "UTC",
      all_day: false,
      description: "Bring your horn, 7 &lt; 8 &amp; more\nNext line",
      venue: { venue: "Blue Note Cellar", address: "Main Street 1, Vienna", geo_lat: 48.2, geo_lng: 16.37 },
      organizer: [{ organizer: "Cellar, Ltd.", email: "jazz@example.com" }],
      categories: ["Jazz", "Late, loud"],
      website: "https://example.com/jazz",
      image: "https://example.com/poster",
      status: "draft",
    });
    expect(parse(event("DTSTART:20270116T190000Z", "CATEGORIES:Jazz"), { categoriesAs: "tags" }).rows[0]?.values["tags"]).toEqual(["Jazz"]);
  });

  test("HTML of X-ALT-DESC without the page around it; without text the DESCRIPTION", () => {
    const html = "X-ALT-DESC;FMTTYPE=text/html:<html><head><title>x</title></head><body lang=de><p>A\\, <b>B</b></p></body></html>";
    expect(one("DTSTART:20270116T190000Z", html, "DESCRIPTION:A, B").values["description"]).toBe("<p>A, <b>B</b></p>");
    const empty = "X-ALT-DESC;FMTTYPE=text/html:<html><body><p>&nbsp;</p></body></html>";
    expect(one("DTSTART:20270116T190000Z", empty, "DESCRIPTION:A").values["description"]).toBe("A");
  });

  test("the UID of a feed of The Events Calendar changes when an event moves: its id is kept", () => {
    expect(one("UID:1891-1709856000-1709942399@example.com", "DTSTART:20270116T190000Z").key).toBe("1891@example.com");
    expect(one("UID:a-1709856000-1709942399@example.com", "DTSTART:20270116T190000Z").key).toBe("a-1709856000-1709942399@example.com");
  });

  test("the latest version is taken; of two that are equally late both are there", () => {
    const { rows } = parse([
      ...event("DTSTART:20270116T190000Z", "SEQUENCE:10"),
      ...event("DTSTART:20270117T190000Z", "SEQUENCE:9"),
      ...event("UID:e2", "DTSTART:20270116T190000Z"),
      ...event("UID:e2", "DTSTART:20270117T190000Z"),
    ]);
    expect(rows.map((row) => [row.key, row.line, row.warnings.length])).toEqual([
      ["e1", 3, 1],
      ["e2", 15, 0],
      ["e2", 20, 0],
    ]);
  });
});

describe("files that are wrong or hostile", () => {
  const message = (lines: readonly string[] | Uint8Array, options = {}): string => {
    try {
      parse(lines, options);
    } catch (error) {
      expect(error).toBeInstanceOf(CalError);
      expect((error as CalError).exitCode).toBe(2);
      return (error as CalError).message;
    }
    return expect.fail("it was read");
  };

  test("a file that is cut, nested wrongly, or no calendar", () => {
    expect(message(Buffer.from("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n"))).toBe("x.ics:3: the file ends within the VEVENT of line 2");
    expect(message(["BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VCALENDAR"])).toBe(
      "x.ics:3: END:VCALENDAR stands where END:VEVENT is missing, for line 2",
    );
    expect(message(Buffer.from("title,start\n"))).toContain("x.ics:1: this is not an iCalendar file");
    expect(message(Buffer.from(""))).toContain("is empty");
  });

  test("rules without an end need --until: all of them are named, with their lines", () => {
    const lines = [
      ...event("DTSTART:20270101T190000Z", "RRULE:FREQ=DAILY"),
      ...event("UID:e2", "DTSTART:20270101T190000Z", "RRULE:FREQ=WEEKLY"),
    ];
    expect(
      message(lines)
        .split("\n")
        .map((line) => line.slice(0, 44)),
    ).toEqual(["x.ics:7: the rule FREQ=DAILY has no end (nam", "x.ics:13: the rule FREQ=WEEKLY has no end (n"]);
  });

  test("more occurrences than allowed are refused, not cut", () => {
    const lines = event("DTSTART:20270101T190000Z", "RRULE:FREQ=DAILY;COUNT=11");
    expect(message(lines, { maxOccurrences: 10 })).toContain("x.ics has more than 10 occurrences of rules");
    expect(parse(lines, { maxOccurrences: 11 }).rows).toHaveLength(11);
    expect(message(event("DTSTART:20270101T190000Z", "RRULE:FREQ=SECONDLY"), { until: Date.UTC(2030, 0) })).toContain("more than 10,000");
  });

  test.each([
    "FREQ=DAILY;BYMONTHDAY=-1,-2;BYMONTH=2;COUNT=5",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
    "FREQ=MINUTELY;BYSETPOS=2;COUNT=5",
    "FREQ=SECONDLY;BYYEARDAY=366;BYHOUR=3;BYMONTH=1;COUNT=5",
    "FREQ=DAILY;INTERVAL=99999999999;COUNT=5",
    "FREQ=YEARLY;BYWEEKNO=53;BYHOUR=0,1,2,3,4,5,6,7,8,9;BYMINUTE=0,1,2,3,4,5,6,7,8,9;BYSECOND=0,1,2,3,4,5,6,7,8,9;BYSETPOS=-400;COUNT=5",
  ])("%s comes to an end", (rule) => {
    const { rows } = parse(event("DTSTART:20270101T190000Z", `RRULE:${rule}`), { until: Date.UTC(2040, 0) });
    expect(rows.length).toBeLessThanOrEqual(6);
  });

  test("many rules that run for long are refused before they run", () => {
    const rules = Array.from({ length: 50 }, (_, at) =>
      event(`UID:e${at}`, "DTSTART:19000101T190000Z", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30"),
    );
    expect(message(rules.flat(), { until: Date.UTC(2040, 0) })).toContain("too many rules that run for too long");
  });

  test("a VTIMEZONE with endless rules, and one without offsets, come to an end", () => {
    const zone = (lines: readonly string[]) => [
      "BEGIN:VTIMEZONE",
      "TZID:X",
      "BEGIN:STANDARD",
      "DTSTART:00010101T000000",
      ...lines,
      "END:STANDARD",
      "END:VTIMEZONE",
    ];
    const offsets = ["TZOFFSETFROM:+0000", "TZOFFSETTO:+0100"];
    for (const rule of [
      "FREQ=SECONDLY",
      "FREQ=DAILY;BYMONTHDAY=-1,-2",
      "FREQ=YEARLY;BYSECOND=1,2,3",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    ]) {
      const { rows } = parse([...zone([...offsets, `RRULE:${rule}`]), ...event("DTSTART;TZID=X:20270716T200000")]);
      expect(starts(rows), rule).toEqual(["2027-07-16T19:00Z"]);
    }
    expect(parse([...zone([]), ...event("DTSTART;TZID=X:20270716T200000")]).warnings).toHaveLength(1);
  });

  test("deep nesting, a long line and many empty lines take linear time", () => {
    const deep = "BEGIN:X\n".repeat(90_000);
    expect(message(Buffer.from(`BEGIN:VCALENDAR\n${deep}`))).toContain("the file ends within the X");
    const long = event(
      "DTSTART:20270116T190000Z",
      `X-ALT-DESC:${"<a".repeat(400_000)}`,
      `DESCRIPTION:${"<a".repeat(400_000)}`,
      `ATTACH:${"a".repeat(2_000_000)}`,
    );
    expect(parse(long).rows).toHaveLength(1);
    expect(message(Buffer.alloc(5_000_000, "\n"))).toContain("is empty");
    const many = event(
      "DTSTART:20270116T190000Z",
      `CATEGORIES:${"a,".repeat(300_000)}`,
      `EXDATE:${"20270101,".repeat(20_000)}`,
      "RRULE:FREQ=DAILY;COUNT=2",
    );
    expect(parse(many).rows.length).toBeGreaterThan(0);
  });

  test("files of nothing but many small parts are refused, or read in little memory", () => {
    expect(message(Buffer.from(`BEGIN:VCALENDAR\n${"BEGIN:VEVENT\nEND:VEVENT\n".repeat(100_001)}END:VCALENDAR`))).toContain(
      "more than 100,000 components",
    );
    const junk = parse(Buffer.from(`BEGIN:VCALENDAR\nEND:VCALENDAR\n${"a\n".repeat(1_000_000)}`));
    expect([junk.rows.length, junk.warnings.length]).toEqual([0, 10]);
    const same = parse(
      event("DTSTART:20270101T190000Z").concat(
        ...Array.from({ length: 3000 }, () => event("RECURRENCE-ID;RANGE=THISANDFUTURE:20270101T190000Z", "DTSTART:20270101T190000Z")),
      ),
    );
    expect(same.rows).toHaveLength(3001);
    const dates = Array.from({ length: 3 }, () => `RDATE:${"20000101T000000Z,".repeat(50_000)}20000102T000000Z`);
    expect(message(event("DTSTART:20270101T190000Z", ...dates))).toContain("more than 100,000 EXDATEs and RDATEs");
  });

  test("an exception in UTC replaces an occurrence of a zone that nobody knows", () => {
    const { rows } = parse([
      ...event("DTSTART;TZID=Nowhere:20270301T200000", "RRULE:FREQ=DAILY;COUNT=2"),
      ...["BEGIN:VEVENT", "UID:e1", "RECURRENCE-ID:20270302T190000Z", "DTSTART:20270302T210000Z", "SUMMARY:Moved", "END:VEVENT"],
    ]);
    expect(rows.map((row) => [row.key, row.values["title"]])).toEqual([
      ["e1 20270301T200000", "Jazz Night"],
      ["e1 20270302T200000", "Moved"],
    ]);
  });

  test("an encoding that is not UTF-8, and lines that end in LF or CR LF with blanks", () => {
    const lines = event("DTSTART:20270116T190000Z", "DESCRIPTION:Möte").join("\n");
    expect(parse(Buffer.from(`BEGIN:VCALENDAR\n${lines}\nEND:VCALENDAR  \n`, "latin1")).rows[0]?.values["description"]).toBe("Möte");
  });
});

test("EXRULE, which old calendars have, takes occurrences away, also without an end", () => {
  const days = (...lines: readonly string[]) => starts(parse(event("DTSTART;TZID=Europe/Berlin:20270325T090000", ...lines)).rows);
  // The clocks change on 28 March.
  expect(days("RRULE:FREQ=DAILY;COUNT=6", "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU")).toEqual([
    "2027-03-25T08:00Z",
    "2027-03-26T08:00Z",
    "2027-03-29T07:00Z",
    "2027-03-30T07:00Z",
  ]);
  expect(days("RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=2")).toEqual(["2027-03-26T08:00Z", "2027-03-28T07:00Z"]);
  expect(days("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;UNTIL=20270326T080000Z")).toEqual(["2027-03-27T08:00Z"]);
  expect(starts(parse(event("DTSTART;VALUE=DATE:20270325", "RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;BYDAY=FR")).rows)).toEqual([
    "2027-03-25",
    "2027-03-27",
  ]);
});
