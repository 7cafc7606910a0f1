// Sites that run The Events Calendar remove one level of backslashes from what is written: cal sends them so that the site stores what was typed.

import { describe, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { type JsonRecord, openSandboxSession } from "./sandbox.ts";

const text = String.raw`a\b \\c \0 d\e`;

/** What a site stores of an event, as WordPress's own interface shows it. */
async function readStored(fetchJson: (path: string) => Promise<JsonRecord>, id: unknown) {
  return JSON.stringify(await fetchJson(`../../../wp/v2/tribe_events/${id}?context=edit`));
}

describe("backslashes on a site that removes one level of them", async () => {
  const { cal, fetchJson } = await openSandboxSession("the-events-calendar");
  const create = async (resource: string, ...flags: readonly string[]): Promise<JsonRecord> => {
    const result = await expectExitCode(cal.runArgs([resource, "create", "--format", "json", ...flags]), 0);
    expect(result.stderr).not.toContain("warning");
    return JSON.parse(result.stdout) as JsonRecord;
  };
  const times = ["--start-date", "2027-05-10 20:00", "--duration", "1h"];

  test("the site removes them from what is sent as it is", async () => {
    const [start_date, end_date] = ["2027-05-10 20:00:00", "2027-05-10 21:00:00"];
    const body = { title: text, cost: String.raw`A\B`, website: String.raw`http://e.org/a\b`, start_date, end_date };
    const event = await fetchJson("events", "POST", body);
    const stored = String.raw`ab \c 0 de`;
    expect(await readStored(fetchJson, event["id"])).toContain(JSON.stringify(stored));
    expect(event["cost"]).toBe("AB");
    expect(event["website"]).toBe("http://e.org/ab");
    expect((await fetchJson("tags", "POST", { name: text }))["name"]).toBe(text);
  });

  test("every text of an event is stored as it was typed, and stays so in an update of another field", async () => {
    const texts = ["title", "description", "excerpt"].flatMap((name) => [`--${name}`, `${name} ${text}`]);
    const website = String.raw`http://e.org/a\b`;
    const { id } = await create("events", ...times, ...texts, "--cost", String.raw`A\B`, "--website", website);
    const check = async () => {
      const stored = await readStored(fetchJson, id);
      for (const name of ["title", "description", "excerpt"]) expect(stored).toContain(JSON.stringify(`${name} ${text}`));
      expect(stored).toContain(JSON.stringify(String.raw`A\B`));
      expect(stored).toContain(JSON.stringify(website));
    };
    await check();
    await expectExitCode(cal(`events update ${id} --featured`), 0);
    await check();
    const updates = ["--title", `title ${text}`, "--excerpt", `excerpt ${text}`];
    await expectExitCode(cal.runArgs(["events", "update", String(id), ...updates, "--no-featured"]), 0);
    await check();
    const same = await cal.runArgs(["events", "update", String(id), ...updates]);
    expect(same.stderr).toContain("nothing to change");
  });

  test("linked data, venues, organizers and terms keep them too", async () => {
    const venue = { venue: `Hall ${text}`, city: text };
    const event = await create("events", ...times, "--title", "Linked", "--data", JSON.stringify({ venue }));
    expect(event["venue"]).toMatchObject({ city: text });
    const place = await create("venues", "--venue", `Room ${text}`, "--address", text, "--description", text);
    expect(await fetchJson(`venues/${place["id"]}`)).toMatchObject({ address: text });
    await expectExitCode(cal.runArgs(["venues", "update", String(place["id"]), "--city", "Bonn", "--stateprovince", text]), 0);
    await expectExitCode(cal(`venues update ${place["id"]} --city Ulm`), 0);
    expect(await fetchJson(`venues/${place["id"]}`)).toMatchObject({ address: text, city: "Ulm", stateprovince: text });
    const tag = await create("tags", "--name", `Tag ${text}`);
    expect(tag["name"]).toBe(`Tag ${text}`);
  });

  test("a server that follows the interface gets them as they are", async () => {
    const { cal: plain } = await openSandboxSession("generic");
    const result = await expectExitCode(plain.runArgs(["events", "create", "--format", "json", ...times, "--title", text]), 0);
    expect(JSON.parse(result.stdout)).toMatchObject({ title: text });
  });
});
