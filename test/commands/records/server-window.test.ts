// A server that applies the defaults of start_date and end_date hides other events: --all-dates asks for all, and a list says what it holds.

import { expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { createServerSession, startTestServer } from "./server.ts";

const years = [1950, 2020, 2026, 2027, 2028, 2090];

/** Lists events from 2027-01-13 for two years unless the query says otherwise; `tells` is what the answer says of that. */
async function startServer(tells: boolean) {
  return startTestServer(({ query }) => {
    const start = query.get("start_date") ?? "2027-01-13 00:00:00";
    const end = query.get("end_date") ?? "2029-01-13 23:59:59";
    const events = years
      .map((year) => ({ id: year, title: `Fair ${year}`, start_date: `${year}-06-01 10:00:00`, slug: `fair-${year}` }))
      .filter(({ start_date, title }) => start_date >= start && start_date <= end && title.includes(query.get("search") ?? ""));
    const address = `http://calendar.example/wp-json/calendar/events/v1/events/?page=1&start_date=${start}&end_date=${end}`;
    return { body: { events, total: events.length, total_pages: 1, ...(tells ? { rest_url: address } : {}) } };
  });
}

const idsOf = (stdout: string) => stdout.trimEnd().split("\n").map(Number);

test("--all-dates lists all events", async () => {
  const cal = createServerSession((await startServer(true)).url);
  const { stdout, stderr } = await expectExitCode(cal("events list --all-dates --all --format ids"), 0);
  expect({ ids: idsOf(stdout), stderr }).toEqual({ ids: years, stderr: "" });
});

test("a list without dates says which events it holds, where the answer tells it", async () => {
  const told = createServerSession((await startServer(true)).url);
  const { stdout, stderr } = await expectExitCode(told("events list --format ids"), 0);
  expect({ ids: idsOf(stdout), stderr }).toEqual({
    ids: [2027, 2028],
    stderr: "this server lists events from 2027-01-13 to 2029-01-13; --all-dates lists all\n",
  });
  const untold = createServerSession((await startServer(false)).url);
  expect((await expectExitCode(untold("events list --format ids"), 0)).stderr).toBe("");
  const dated = await expectExitCode(told("events list --start-date 2020-01-01 --format ids"), 0);
  expect(dated.stderr).not.toContain("this server lists");
});

test("a past event is found by its name", async () => {
  const server = await startServer(true);
  const { stderr } = await createServerSession(server.url)("events get 'name:Fair 1950' --debug");
  expect(stderr).toContain("/events/1950");
});
