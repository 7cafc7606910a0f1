// Events for the tests of iCalendar, and what a calendar with them should say: instants by Intl, not by the program.
import type { DataRecord } from "../../src/data-record.ts";
import { formatCalendar } from "../../src/ical/write.ts";

/** An event of an hour at a wall time; `changes` replace its fields. */
export function createEvent(id: number, changes: DataRecord = {}): DataRecord {
  return {
    id,
    title: `Event ${id}`,
    status: "publish",
    all_day: false,
    start_date: "2027-01-16 20:00:00",
    end_date: "2027-01-16 21:00:00",
    timezone: "America/New_York",
    modified_utc: "2026-12-01 08:30:00",
    ...changes,
  };
}

export async function writeCalendar(records: readonly DataRecord[], host = "events.example.org"): Promise<string> {
  const unreadable: DataRecord[] = [];
  const batches = async function* () {
    yield records;
  };
  let text = "";
  for await (const chunk of formatCalendar(batches(), { host, onUnreadable: (record) => unreadable.push(record) })) text += chunk;
  return text;
}

/** Texts that try to end a line, a value or a component. */
export const hostileTexts: readonly string[] = [
  "a\r\nEND:VEVENT\r\nBEGIN:VEVENT",
  "a\nATTENDEE:mailto:evil@example.org",
  "a\rX:1",
  "quote \" colon : semicolon ; comma , backslash \\ \\n caret ^n ^' end\\",
  "]]> <script>alert(1)</script> <!-- & &amp; &lt;b&gt;",
  "\u0000\u0001\u001b[31m\u007f\u0085\u2028\u2029\u202e",
  "日本語のとても長いタイトル".repeat(12),
  "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿".repeat(9),
  "\ud800 lone",
  "=1+1",
];

export const hostileEvents: readonly DataRecord[] = hostileTexts.map((text, index) =>
  createEvent(900 + index, {
    title: text,
    description: text,
    url: `https://example.org/${text}`,
    timezone: index % 2 === 0 ? "Europe/Paris" : text,
    utc_start_date: index % 2 === 0 ? "" : "2027-01-16 19:00:00",
    venue: { venue: text, address: text, geo_lat: text, geo_lng: "1\r\nX:1" },
    organizer: [
      { organizer: text, email: `${text}@example.org` },
      { organizer: text, email: "info@example.org" },
    ],
    categories: [{ name: text }, { name: "a,b;c" }],
    image: { url: `https://example.org/${text}.png` },
    status: text,
    modified_utc: text,
  }),
);

/** The instants of a wall time in a zone, earlier first, found by asking Intl what its clocks show. */
export function findInstants(wall: string, timeZone: string): readonly number[] {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const near = Date.parse(`${wall.replace(" ", "T")}Z`);
  const quarters = Array.from({ length: 30 * 4 * 2 + 1 }, (_, index) => near + (index - 120) * 900_000);
  return quarters.filter((epoch) => clock.format(epoch) === wall);
}
