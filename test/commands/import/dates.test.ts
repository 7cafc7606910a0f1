// Dates of spreadsheets, as people, spreadsheets and the importer of The Events Calendar write them.
import { describe, expect, test } from "vitest";
import { findDateOrder, parseWrittenDate, parseWrittenTime } from "../../../src/commands/import/dates.ts";

describe("a date", () => {
  test.each([
    ["2027-04-19", { day: "2027-04-19" }],
    ["2027-4-9", { day: "2027-04-09" }],
    ["2027-04-19 20:00:00", { day: "2027-04-19", time: "20:00:00" }],
    ["2027-04-19T20:00:00Z", { day: "2027-04-19", time: "20:00:00", offset: "Z" }],
    ["2027-04-19T20:00:00+02:00", { day: "2027-04-19", time: "20:00:00", offset: "+02:00" }],
    ["2027/04/19", { day: "2027-04-19" }],
    ["19-04-2027", { day: "2027-04-19" }],
    ["19.4.2027", { day: "2027-04-19" }],
    ["apr 19, 2027", { day: "2027-04-19" }],
    ["Monday, April 19, 2027 7:30 pm", { day: "2027-04-19", time: "19:30:00" }],
    ["19 Sept 2027", { day: "2027-09-19" }],
    ["4/9/2027", undefined],
    ["31-02-2027", undefined],
    ["2027-02-29", undefined],
    ["soon", undefined],
    ["2027-04-19 25:00", undefined],
  ])("%s", (text, expected) => expect(parseWrittenDate(text, undefined)).toEqual(expected));

  test.each([
    ["4/9/2027", "mdy", "2027-04-09"],
    ["4/9/2027", "dmy", "2027-09-04"],
    ["4/9/27", "dmy", "2027-09-04"],
  ] as const)("%s as %s", (text, order, day) => expect(parseWrittenDate(text, order)).toEqual({ day }));
});

test.each([
  ["7:30:00", "07:30:00"],
  ["12:30", "12:30:00"],
  ["7:30 PM", "19:30:00"],
  ["7 p.m.", "19:00:00"],
  ["7pm", "19:00:00"],
  ["12:00 am", "00:00:00"],
  ["7:30:00 pm", "19:30:00"],
])("the time %s", (text, time) => expect(parseWrittenTime(text)).toEqual({ time }));

test.each([
  [["2/1/2027", "13/1/2027"], "dmy"],
  [["2/1/2027", "1/13/2027"], "mdy"],
  [["2027-01-02"], undefined],
] as const)("the order of %j is %s", (texts, order) => expect(findDateOrder(texts)).toEqual(order === undefined ? {} : { order }));

test.each([
  [["2/1/2027"], "can be read in two ways"],
  [["13/1/2027", "1/13/2027"], "are written in two ways"],
])("%j needs an order", (texts, message) => expect(findDateOrder(texts).problem?.message).toContain(message));
