// The time zones of an iCalendar file: IANA names, Windows names, offsets, and the file's own VTIMEZONEs. The only importer of windows-iana.
import { findIana } from "windows-iana";
import { findZone, wallToEpoch } from "../dates/zone.ts";
import type { Component, IcalProperty } from "./components.ts";
import { expandRule } from "./rules.ts";

/** Where a wall time is meant. A zone that nobody knows is floating, with its name. */
export type IcalZone =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "custom"; readonly tzid: string; readonly observances: readonly Observance[] }
  | { readonly kind: "floating"; readonly unknown?: string };

/** A STANDARD or DAYLIGHT (RFC 5545, 3.6.5). Wall times are `YYYY-MM-DD HH:MM:SS` on the clock before the change; offsets are milliseconds. */
interface Observance {
  readonly starts: readonly string[];
  readonly from: number;
  readonly to: number;
  /** A rule that repeats every year, without its UNTIL. */
  readonly rule?: string;
  /** The last onset of the rule at most, in milliseconds since 1970. */
  readonly until: number;
}

/** In this order: an IANA name, a Windows name, `UTC+n`, the file's VTIMEZONE, the cities that the name lists. */
export function resolveZone(tzid: string, timezones: ReadonlyMap<string, Component>): IcalZone {
  const text = tzid.trim().replace(/^"|"$/g, "");
  const custom = timezones.get(tzid) ?? timezones.get(text);
  const location = custom?.properties.find(({ name }) => name === "x-lic-location")?.values[0];
  const name = findName(text) ?? findWindowsName(text) ?? (typeof location === "string" ? findName(location) : undefined);
  if (name !== undefined) return { kind: "named", name };
  const observances = custom?.children.flatMap(readObservance) ?? [];
  if (observances.length > 0) return { kind: "custom", tzid: text, observances };
  const city = findCity(text);
  return city === undefined ? { kind: "floating", unknown: text } : { kind: "named", name: city };
}

/** `Europe/Berlin`, `/Europe/Berlin`, `/example.org/2024/Europe/Berlin`, `Europe_Berlin`, `UTC+2`. */
function findName(text: string): string | undefined {
  const parts = text.split("/").filter((part) => part !== "");
  const candidates = [text, parts.slice(-3).join("/"), parts.slice(-2).join("/"), text.replace("_", "/")];
  return candidates.filter((one) => one !== "" && (one === text || one.includes("/"))).flatMap((one) => findZone(one)?.name ?? [])[0];
}

/** `W. Europe Standard Time`; `(UTC-05:00) Eastern Time (US & Canada)`, as Outlook on the web writes it. */
function findWindowsName(text: string): string | undefined {
  const region = /^\((?:UTC|GMT)[^)]*\) (\w+) Time \(/.exec(text)?.[1];
  const [name] = findIana(region === undefined ? text : `${region} Standard Time`);
  return name !== undefined && findZone(name) !== undefined ? name : undefined;
}

/** `Amsterdam, Belgrade, Berlin`; `(GMT+10:00) Canberra, Melbourne, Sydney`: the zone of the first city that has one with this offset. */
function findCity(text: string): string | undefined {
  const [, offset, cities = ""] = /^(?:\((?:UTC|GMT)([+-]\d\d:\d\d)?\) )?(.*)$/.exec(text) ?? [];
  if (!cities.includes(",") && offset === undefined) return undefined;
  const expected = offset === undefined ? undefined : findZone(offset)?.offsetAt(0);
  const isPossible = (name: string) =>
    expected === undefined || [Date.UTC(2024, 0), Date.UTC(2024, 6)].some((epoch) => findZone(name)?.offsetAt(epoch) === expected);
  const names = Intl.supportedValuesOf("timeZone");
  return cities
    .split(",")
    .map((city) => `/${city.trim().replaceAll(" ", "_").toLowerCase()}`)
    .flatMap((city) => names.filter((name) => name.toLowerCase().endsWith(city)))
    .find(isPossible);
}

function readObservance({ properties }: Component): readonly Observance[] {
  const find = (name: string): IcalProperty | undefined => properties.find((one) => one.name === name);
  const [from, to] = ["tzoffsetfrom", "tzoffsetto"].map((name) => parseOffset(String(find(name)?.values[0] ?? "")));
  const starts = properties
    .filter(({ name }) => name === "dtstart" || name === "rdate")
    .flatMap(({ values }) => values.flatMap((value) => parseWall(String(value)) ?? []))
    .sort();
  if (from === undefined || to === undefined || starts.length === 0) return [];
  const text = String(find("rrule")?.values[0] ?? "").toUpperCase();
  const [, until] = /UNTIL=(\d{8}(?:T\d{6})?)/.exec(text) ?? [];
  const rule = text.replace(/;?UNTIL=[^;]*/, "");
  // Clocks change once a year by a rule; other rules are not used in zones, and could be endless.
  const isYearly = /^(?=.*FREQ=YEARLY)(?!.*COUNT=)(?!.*INTERVAL=(?!1(?:;|$)))(?!.*BY(?:HOUR|MINUTE|SECOND)=)/.test(rule);
  const last = until === undefined ? undefined : wallToEpoch(parseWall(until.padEnd(15, "T235959")) ?? "", "UTC");
  return [{ starts, from, to, until: last ?? Number.POSITIVE_INFINITY, ...(isYearly && { rule }) }];
}

/** `+0530` or `-050000` in milliseconds. */
function parseOffset(text: string): number | undefined {
  const [, sign, hours, minutes, seconds = "0"] = /^([+-])([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d)?$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  return (sign === "-" ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** `20270116T200000` as `2027-01-16 20:00:00`, and `20270116` as its midnight. */
export function parseWall(text: string): string | undefined {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?Z?)?$/i.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  // RFC 5545 has a second 60; no calendar keeps it.
  const wall = `${year}-${month}-${day} ${hour}:${minute}:${second === "60" ? "59" : second}`;
  return wallToEpoch(wall, "UTC") === undefined ? undefined : wall;
}

/** The instant of a wall time, in milliseconds since 1970. `eventZone` is where floating times are meant. */
export function zoneWallToEpoch(wall: string, zone: IcalZone, eventZone: string): number | undefined {
  if (zone.kind !== "custom") return wallToEpoch(wall, zone.kind === "named" ? zone.name : eventZone);
  const utc = wallToEpoch(wall, "UTC");
  return utc === undefined ? undefined : utc - getCustomOffset(wall, utc, zone.observances);
}

/** The offset of the last change at or before a wall time; of a wall time that the clocks skip, the offset before the change. */
function getCustomOffset(wall: string, utc: number, observances: readonly Observance[]): number {
  let latest = "";
  let current: Observance | undefined;
  for (const observance of observances) {
    const onset = findLastOnset(observance, wall);
    if (onset === undefined || onset < latest) continue;
    [latest, current] = [onset, observance];
  }
  if (current === undefined) return observances.toSorted((a, b) => ((a.starts[0] ?? "") < (b.starts[0] ?? "") ? -1 : 1))[0]?.from ?? 0;
  const onset = wallToEpoch(latest, "UTC") ?? utc;
  return utc < onset + current.to - current.from ? current.from : current.to;
}

function findLastOnset({ starts, from, rule, until }: Observance, wall: string): string | undefined {
  const [first = ""] = starts;
  const last = starts.findLast((start) => start <= wall);
  if (rule === undefined || last === undefined) return last;
  const year = Math.min(Number(wall.slice(0, 4)), until === Number.POSITIVE_INFINITY ? 9999 : new Date(until + from).getUTCFullYear());
  const onsets = [year - 1, year]
    .flatMap((one) => listOnsets(first, rule, one))
    .filter((onset) => onset >= first && onset <= wall && (wallToEpoch(onset, "UTC") ?? 0) - from <= until);
  return [last, ...onsets].toSorted().at(-1);
}

const onsetCache = new Map<string, readonly string[]>();

/** The onsets of a yearly rule in one year. The rule is begun in this year: its parts do not depend on the years before. */
function listOnsets(first: string, rule: string, year: number): readonly string[] {
  const key = `${first} ${rule} ${year}`;
  const known = onsetCache.get(key);
  if (known !== undefined) return known;
  const yearText = String(Math.max(year, 1)).padStart(4, "0");
  const day = first.slice(4, 10) === "-02-29" ? "-02-28" : first.slice(4, 10);
  const month = /BYMONTH=/.test(rule) ? "-01-01" : day;
  // A rule without a day takes the day of its start.
  const start = `${yearText}${/BYDAY=|BYMONTHDAY=|BYYEARDAY=/.test(rule) ? month : day}${first.slice(10)}`;
  const end = wallToEpoch(`${yearText}-12-31 23:59:59`, "UTC") ?? 0;
  const onsets: string[] = [];
  try {
    expandRule({ rule, start, zone: "UTC", last: end, withStart: false }, (epoch) => {
      onsets.push(new Date(epoch).toISOString().slice(0, 19).replace("T", " "));
      return onsets.length < 10;
    });
  } catch {
    // A rule that can't be read changes no clock.
  }
  onsetCache.set(key, onsets);
  return onsets;
}
