// Any long text is shown in every format in a time that grows no faster than the text: 100 kB in `npm test`, 1 MB in `npm run attack`.

import process from "node:process";
import { expect, test } from "vitest";
import type { DataRecord } from "../../src/data-record.ts";
import { toPlainText } from "../../src/html-text.ts";
import { renderAgenda } from "../../src/output/calendar/agenda.ts";
import { renderMonth } from "../../src/output/calendar/month.ts";
import { renderWeek } from "../../src/output/calendar/week.ts";
import { wrapMessage } from "../../src/output/message.ts";
import { formats } from "../../src/output/report.ts";
import { createAllDayEvent, createCalendarStyle, createMonthDays, createTimedEvent } from "./calendar-days.ts";
import { createListReport, createRecordReport } from "./reports.ts";
import { createTestView, renderText } from "./view.ts";
import "./table-width.ts";

/** Bytes of each text in UTF-8. */
const isFullRun = process.env["CAL_ATTACK"] === "1";
const size = isFullRun ? 1_000_000 : 100_000;

const parts = [
  ..."日😀<&'\"=\n\t\u0000\u00a0\u0301\u200b\u202e\u1100한อำ\u0928\u094d\u05d0🇨\ud800",
  "a ",
  "e\u0301",
  "日 ",
  "👩\u200d",
  "🏴\u{e0067}",
  "\u{e0041}",
  "<link ",
  "<a href=",
  "<!--",
  "<script>",
  "&#",
  "&amp;",
  "\u001b]",
  "\u001b[1",
  "\u009d",
  "'a ",
  "- ",
  ": ",
  "9",
  '{"a":',
];

/** Milliseconds of the processor, whatever else the machine does. */
async function measureWork(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const renderers: readonly (readonly [name: string, render: (text: string) => unknown])[] = [
  ...formats.flatMap((format) =>
    [true, false].map((tty) => {
      const options = createTestView(format, tty ? { tty, width: 80 } : { excel: true });
      const record = (text: string): DataRecord => ({ id: 1, title: text, venue: { venue: "x" }, status: "publish" });
      return [
        `${format}, ${tty ? "a list on a terminal" : "a list"}`,
        (text: string) => renderText(createListReport(record(text)), options),
      ] as const;
    }),
  ),
  [
    "a record",
    (text) => renderText(createRecordReport({ id: 1, title: text, description: text }), createTestView("table", { tty: true, width: 80 })),
  ],
  ...[80, 160].flatMap((width) => {
    const days = (server: string) => {
      const text = toPlainText(server);
      return createMonthDays("2027-02", [
        createAllDayEvent(text, "2027-02-03", "2027-02-05", { categories: [{ id: "1", name: text }], venue: text }),
        createTimedEvent(text, "2027-02-09", "10:00", "11:00", { venue: text }),
      ]);
    };
    const style = createCalendarStyle(width);
    return [
      [`a month at ${width} columns`, (text: string) => renderMonth(days(text), style)],
      [`a week at ${width} columns`, (text: string) => renderWeek(days(text).slice(0, 14), style)],
      [`an agenda at ${width} columns`, (text: string) => renderAgenda(days(text), style, false)],
    ] as const;
  }),
  ["a message", (text) => wrapMessage(text, 80)],
];

/** Twice the text takes at most three times the work. Below so many milliseconds nobody waits, and the measure says little. A second measure tells work from chance. */
const enough = 1000;

test.each(renderers)(
  "%s",
  async (_name, render) => {
    const slow: string[] = [];
    for (const part of parts) {
      const half = part.repeat(size / 2 / Buffer.byteLength(part));
      const work = await measureWork(() => render(half + half));
      const isSlow = async (ms: number) => ms > enough && ms > 3 * (await measureWork(() => render(half)));
      if ((await isSlow(work)) && (await isSlow(await measureWork(() => render(half + half)))))
        slow.push(`${JSON.stringify(part)}: ${work} ms`);
    }
    expect(slow).toEqual([]);
  },
  600_000,
);
