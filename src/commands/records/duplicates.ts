// `cal venues duplicates` and `cal organizers duplicates`: records that are likely the same one. They are listed, and never merged.
import { countEvents } from "../../api/linked-events.ts";
import { isNearName, listRecords, normalizeName } from "../../api/refs.ts";
import { type DataRecord, getText, idOf } from "../../data-record.ts";
import { exitCodes } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import type { Column, Resource } from "../../model/resource.ts";
import { unbreakable } from "../../text.ts";
import type { Handler } from "../command.ts";
import { createRecordCommand, openSite } from "./command.ts";

/** Merge commands in the notice at most. */
const maxCommands = 10;

/** The handler that lists likely duplicates of a resource, each with the record that it is likely the same as. */
export function duplicates(resource: Resource): Handler {
  return async (invocation, context) => {
    const command = await createRecordCommand(resource, "duplicates", invocation, context, [...invocation.problems]);
    const site = await openSite(command);
    const records = (await listRecords(site, resource, {})).filter((record) => getText(record, "status") !== "trash");
    const places = records.map((record, at) => toPlace(resource, record, at));
    const paired = findPaired(places);
    const counts = new Map(
      await Promise.all(paired.map(async (place) => [place, (await countEvents(site, resource, place.id)) ?? 0] as const)),
    );
    const found = chooseTargets(paired, counts);
    const describe = ({ record, name, city }: Place) => ({
      id: record["id"],
      name,
      ...(hasCity(resource) && { city }),
      slug: record["slug"],
      status: record["status"],
    });
    const rows = found.map(({ place, target, match }) => ({
      ...describe(place),
      events: counts.get(place),
      match,
      into: { ...describe(target), events: counts.get(target) },
    }));
    const sourcesOf = new Map<string, string[]>();
    for (const { place, target } of found) sourcesOf.set(target.id, [...(sourcesOf.get(target.id) ?? []), place.id]);
    const commands = [...sourcesOf].map(([target, ids]) => unbreakable(`cal ${resource.name} merge ${ids.join(" ")} --into ${target}`));
    const compared = `${places.length} ${resource.name} compared, ${rows.length === 0 ? "no" : rows.length} likely ${rows.length === 1 ? "duplicate" : "duplicates"}`;
    const rest = commands.length > maxCommands ? [`and ${commands.length - maxCommands} more`] : [];
    await context.notice([compared, ...(rows.length > 0 ? ["to merge:"] : []), ...commands.slice(0, maxCommands), ...rest].join("\n"));
    return {
      kind: "list",
      columns: columns.filter(({ path }) => path !== "city" || hasCity(resource)),
      fieldNames: ["id", "name", "city", "slug", "status", "events", "match", "into"],
      records: rows,
      exitCode: () => (rows.length === 0 ? 0 : exitCodes.findings),
    };
  };
}

const columns: readonly Column[] = [
  { header: "ID", path: "id", kind: "id", priority: 1 },
  { header: "NAME", path: "name", kind: "name", priority: 2 },
  { header: "CITY", path: "city", kind: "text", priority: 5 },
  { header: "EVENTS", path: "events", kind: "count", priority: 4 },
  { header: "MATCH", path: "match", kind: "text", priority: 3 },
  { header: "INTO", path: "into.id", kind: "id", priority: 1 },
  { header: "NAME", path: "into.name", kind: "name", priority: 2 },
  { header: "EVENTS", path: "into.events", kind: "count", priority: 6 },
];

const hasCity = ({ fields }: Resource): boolean => fields.some(({ name }) => name === "city");

/** A record with its name and city in the forms that are compared. */
interface Place {
  readonly record: DataRecord;
  /** Its position in the listing. */
  readonly at: number;
  readonly id: string;
  readonly name: string;
  readonly city: string;
  /** The words of its name. */
  readonly text: string;
  /** The same in the order of the alphabet. */
  readonly sorted: string;
  /** What names are found by that may be near. */
  readonly parts: ReadonlySet<string>;
  readonly cityText: string;
}

type NameMatch = "same name" | "near name";

function toPlace(resource: Resource, record: DataRecord, at: number): Place {
  const name = toPlainText(getText(record, resource.titleField));
  const city = toPlainText(getText(record, "city"));
  const words = getWords(name);
  // Numbers and single letters tell names apart; of near names some word has the same start or the same end.
  const marks = words.filter((word) => word.length === 1 || /\p{N}/u.test(word)).sort();
  const ends = words.flatMap((word) => [`${word.slice(0, 3)}-`, `-${word.slice(-3)}`]);
  return {
    record,
    at,
    id: idOf(record) ?? "",
    name,
    city,
    text: words.join(" "),
    sorted: [...words].sort().join(" "),
    parts: new Set(ends.map((end) => [...marks, end].join(" "))),
    cityText: getWords(city).join(" "),
  };
}

/** The words without case, accents, punctuation and articles. */
function getWords(text: string): readonly string[] {
  const words =
    normalizeName(text)
      .replaceAll("&", " and ")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word !== "the");
}

/** The places that are likely the same as another one. */
function findPaired(places: readonly Place[]): readonly Place[] {
  const index = createIndex();
  places.forEach(index.add);
  const paired = new Set<Place>();
  for (const place of places) {
    if (paired.has(place)) continue;
    // One is enough: which record stays is decided later.
    for (const other of index.list(place)) {
      if (other === place || compare(place, other) === undefined) continue;
      paired.add(place).add(other);
      break;
    }
  }
  return [...paired];
}

/** Of each pair, the record that stays is the one that is published, has more events, or is older. A record that goes is no target. */
function chooseTargets(paired: readonly Place[], counts: ReadonlyMap<Place, number>) {
  const rank = (place: Place) => (getText(place.record, "status") === "publish" ? 1 : 0);
  const ordered = [...paired].sort(
    (one, other) => rank(other) - rank(one) || (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || Number(one.id) - Number(other.id),
  );
  const targets = createIndex();
  const positions = new Map(ordered.map((place, at) => [place, at]));
  return ordered.flatMap((place) => {
    const found: { readonly place: Place; readonly target: Place; readonly match: NameMatch }[] = [];
    for (const target of targets.list(place)) {
      const match = compare(place, target);
      if (match !== undefined) found.push({ place, target, match });
    }
    if (found.length === 0) targets.add(place);
    const isSame = ({ match }: { readonly match: NameMatch }) => (match === "same name" ? 0 : 1);
    const [best] = found.sort(
      (one, other) => isSame(one) - isSame(other) || (positions.get(one.target) ?? 0) - (positions.get(other.target) ?? 0),
    );
    return best ?? [];
  });
}

/** Finds the places that share a part with a name. Only these are compared: all pairs would be too many. */
function createIndex() {
  const byPart = new Map<string, Place[]>();
  return {
    add: (place: Place) => {
      for (const part of place.parts) {
        const same = byPart.get(part);
        if (same === undefined) byPart.set(part, [place]);
        else same.push(place);
      }
    },
    list: function* ({ parts }: Place): Generator<Place> {
      const seen = new Set<Place>();
      for (const part of parts)
        for (const place of byPart.get(part) ?? []) {
          if (!seen.has(place)) yield place;
          seen.add(place);
        }
    },
  };
}

/** Whether two places have the same words, in any order, or near names. Two different cities make two records. */
function compare(one: Place, other: Place): NameMatch | undefined {
  if (one.cityText !== other.cityText && one.cityText !== "" && other.cityText !== "") return undefined;
  if (one.sorted === other.sorted) return "same name";
  const [left, right] = one.at < other.at ? [one, other] : [other, one];
  return isNearName(left.text, right.text) ? "near name" : undefined;
}
