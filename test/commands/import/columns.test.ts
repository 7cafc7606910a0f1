// Headers: the names of fields, and those of The Events Calendar's importer and of its sample files.
import { describe, expect, test } from "vitest";
import { mapColumns } from "../../../src/commands/import/columns.ts";
import type { Problem } from "../../../src/errors.ts";
import { resources } from "../../../src/model/resources.ts";

const none = { map: [], key: [], ignoresUnknown: false };

function map(resource: keyof typeof resources, headers: readonly string[], options: Partial<Parameters<typeof mapColumns>[2]> = {}) {
  const problems: Problem[] = [];
  const { columns, notices } = mapColumns(resources[resource], headers, { ...none, ...options }, problems);
  return { targets: headers.map((header) => columns.get(header)), problems: problems.map(({ message }) => message), notices };
}

describe("headers of The Events Calendar", () => {
  test.each([
    ["events", "event_name", "title"],
    ["events", "EVENT NAME", "title"],
    ["events", "START DATE", "start_date"],
    ["events", "Event Start Time", "start_time"],
    ["events", "Event Time Zone", "timezone"],
    ["events", "Timezone", "timezone"],
    ["events", "ALL DAY EVENT?", "all_day"],
    ["events", "Hide Event From Event Listings", "hide_from_listings"],
    ["events", "Event Sticky in Month View", "sticky"],
    ["events", "feature_event", "featured"],
    ["events", "VENUE NAME", "venue"],
    ["events", "Event Organizer Name(s) or ID(s)", "organizer"],
    ["events", "SHOW MAP?", "show_map"],
    ["events", "event_show_map_link", "show_map_link"],
    ["events", "CATEGORIES", "categories"],
    ["events", "Event Featured Image", "image"],
    ["events", "venue.venue", "venue"],
    ["events", "categories.name", "categories"],
    ["events", "Venue City", "venue.city"],
    ["venues", "Venue State/Province", "state_and_province"],
    ["venues", "venue_address2", "address2"],
    ["venues", "Venue Website", "website"],
    ["organizers", "Organizer Featured Image", "image"],
  ] as const)("%s: %s fills %s", (resource, header, target) =>
    expect(map(resource, [header])).toMatchObject({ targets: [target], problems: [] }),
  );
});

test("every name of a field is a header, with blanks, dashes or capitals", () => {
  for (const resource of Object.values(resources))
    for (const { name } of resource.fields)
      for (const header of [name, name.toUpperCase(), name.replaceAll("_", " "), name.replaceAll("_", "-")])
        expect(map(resource.name, [header]), header).toMatchObject({ targets: [name], problems: [] });
});

test("what the REST interface can't write is passed over, and said", () => {
  const { problems, notices } = map("events", ["Event Name", "Event Currency Symbol", "Event Comment Status"]);
  expect(problems).toEqual([]);
  expect(notices.join()).toContain("Event Currency Symbol, Event Comment Status");
});

test("an unknown header is a problem with the nearest name", () => {
  expect(map("events", ["titel"]).problems.join()).toContain('the column "titel" is not a field of events; did you mean title?');
  expect(map("events", ["titel"], { ignoresUnknown: true })).toMatchObject({ problems: [], targets: [undefined] });
  expect(map("events", ["Reference"], { key: ["reference"] }).problems).toEqual([]);
  expect(map("events", ["Band"], { map: [["band", "title"]] })).toMatchObject({ targets: ["title"], problems: [] });
  expect(map("events", ["Band"], { map: [["Band", "titel"]] }).problems[0]).toContain("titel is not a field of events");
});

test("the fields are listed once, for all unknown headers", () => {
  const { problems } = map("events", ["title", "Quxxlorem", "Zyxwvutsr"]);
  expect(problems.map((problem) => problem.includes("; there are title, "))).toEqual([true, false]);
});

test("two columns for one field are a problem", () => {
  expect(map("events", ["title", "Event Name"]).problems).toEqual(['several columns fill title: "title", "Event Name"']);
});
