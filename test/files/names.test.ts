// The names of files: readable, valid everywhere, and different without regard to case.
import { expect, test } from "vitest";
import { createStem, foldName } from "../../src/files/names.ts";

const stemOf = (slug: string, taken: readonly string[] = [], day?: string) =>
  createStem({ id: "7", slug, day }, (name) => taken.includes(name));

test.each([
  ["jazz-night", "jazz-night"],
  ["Jazz Night!", "Jazz-Night"],
  ["cafe\u0301", "café"],
  ["../../etc/passwd", "etc-passwd"],
  ["a\u0000b\\c:d", "a-b-c-d"],
  ["🎉-block-party", "block-party"],
  ["音楽", "音楽"],
  ["con", "con-7"],
  ["LPT1", "LPT1-7"],
  ["", "7"],
  ["---", "7"],
])("%j is %s", (slug, stem) => expect(stemOf(slug)).toBe(stem));

test("the day comes first", () => expect(stemOf("jazz", [], "2027-01-16")).toBe("2027-01-16-jazz"));

test("an id is added where two are equal without case", () => {
  expect(stemOf("Jazz", [foldName("jazz")])).toBe("Jazz-7");
  expect(stemOf("straße", [foldName("STRASSE")])).toBe("straße-7");
});

test("a name has at most 100 bytes", () => {
  for (const letter of ["a", "é", "音", "𠮷"]) {
    const stem = stemOf(letter.repeat(200), [], "2027-01-16");
    expect(Buffer.byteLength(`${stem}.yaml`)).toBeLessThanOrEqual(100);
    expect(Buffer.byteLength(`${stem}.yaml`)).toBeGreaterThan(96);
    expect(stem).not.toMatch(/\p{Surrogate}/u);
    expect(Buffer.byteLength(`${stemOf(letter.repeat(200), [foldName(stem)], "2027-01-16")}.yaml`)).toBeLessThanOrEqual(100);
  }
});
