// Lists in the columns that the CSV importer of The Events Calendar takes, for a site without a REST interface.
import type { Context } from "../context.ts";
import { type DataRecord, getText, isRecord } from "../data-record.ts";
import { decodeEntities, toPlainText } from "../html-text.ts";
import type { Resource } from "../model/resource.ts";
import type { ListReport } from "../output/report.ts";
import { stringifyCellValue, toBatches } from "../output/rows.ts";

/** The value of a column. `reportLoss` is called with what the importer can't take. */
type ImportValue = (record: DataRecord, reportLoss: (loss: string) => void) => string;

const text =
  (key: string): ImportValue =>
  (record) =>
    stringifyCellValue(record[key]);

/** A name, which WordPress sends as HTML: the importer stores what it reads. */
const name =
  (key: string): ImportValue =>
  (record) =>
    decodeEntities(getText(record, key));

const truth =
  (key: string): ImportValue =>
  (record) =>
    record[key] === true ? "yes" : "no";

/** Some sites show the page of an event as its website, where it has none. */
const website: ImportValue = (record, reportLoss) =>
  getText(record, "website") === getText(record, "url") ? "" : name("website")(record, reportLoss);

const image: ImportValue = ({ image: value }, reportLoss) => {
  const address = isRecord(value) ? getText(value, "url") : stringifyCellValue(value === false ? "" : value);
  if (!/^\d+$/.test(address)) return address;
  reportLoss("featured_image: an id of this site, which is another image elsewhere");
  return "";
};

/** Names of linked records, which the importer separates at commas. */
const names =
  (key: string, nameKey: string): ImportValue =>
  (record, reportLoss) => {
    const value = record[key];
    const found = (Array.isArray(value) ? value : [value]).filter(isRecord).map((one) => toPlainText(getText(one, nameKey)));
    // It tries the whole text as the name of one organizer first.
    if (found.some((one) => one.includes(",")) && (key !== "organizer" || found.length > 1))
      reportLoss(`${key}: a name with a comma, which the importer takes for several`);
    return found.join(",");
  };

const venue: ImportValue = ({ venue: value }, reportLoss) => {
  const [first, ...others] = (Array.isArray(value) ? value : [value]).filter(isRecord);
  if (others.length > 0) reportLoss("venue: more than one, of which the importer takes the first");
  return first === undefined ? "" : toPlainText(getText(first, "venue"));
};

const day =
  (key: string): ImportValue =>
  (record) =>
    getText(record, key).slice(0, 10);

/** Empty for an event that lasts all day. */
const time =
  (key: string): ImportValue =>
  (record) =>
    record["all_day"] === true ? "" : getText(record, key).slice(11);

/** The price without its currency, which has columns of its own. */
const price: ImportValue = (record) => {
  const details = record["cost_details"];
  const values = isRecord(details) ? details["values"] : undefined;
  return Array.isArray(values) && values.length > 0
    ? values.map(stringifyCellValue).join("-")
    : toPlainText(stringifyCellValue(record["cost"]));
};

const currency =
  (key: string): ImportValue =>
  ({ cost_details: details }) =>
    isRecord(details) ? decodeEntities(getText(details, key)) : "";

const importColumns: Readonly<Partial<Record<Resource["name"], Readonly<Record<string, ImportValue>>>>> = {
  events: {
    event_name: name("title"),
    event_description: text("description"),
    event_excerpt: text("excerpt"),
    event_start_date: day("start_date"),
    event_start_time: time("start_date"),
    event_end_date: day("end_date"),
    event_end_time: time("end_date"),
    event_timezone: text("timezone"),
    event_all_day: truth("all_day"),
    event_hide: truth("hide_from_listings"),
    event_sticky: truth("sticky"),
    feature_event: truth("featured"),
    event_venue_name: venue,
    event_organizer_name: names("organizer", "organizer"),
    event_show_map_link: truth("show_map_link"),
    event_show_map: truth("show_map"),
    event_cost: price,
    event_currency_code: currency("currency_code"),
    event_currency_symbol: currency("currency_symbol"),
    event_currency_position: currency("currency_position"),
    event_category: names("categories", "name"),
    event_tags: names("tags", "name"),
    event_website: website,
    featured_image: image,
  },
  venues: {
    venue_name: name("venue"),
    venue_description: text("description"),
    venue_country: name("country"),
    venue_address: name("address"),
    venue_city: name("city"),
    venue_state: (record, reportLoss) =>
      name("stateprovince")(record, reportLoss) || name("state")(record, reportLoss) || name("province")(record, reportLoss),
    venue_zip: name("zip"),
    venue_phone: name("phone"),
    venue_url: name("website"),
    featured_image: image,
  },
  organizers: {
    organizer_name: name("organizer"),
    organizer_description: text("description"),
    organizer_email: name("email"),
    organizer_website: name("website"),
    organizer_phone: name("phone"),
    featured_image: image,
  },
};

/** The list with a record of texts for each record, by the names of the importer's columns. */
export function toImportReport(resource: Resource, report: ListReport, context: Context): ListReport {
  const columns = Object.entries(importColumns[resource.name] ?? {});
  const losses = new Map<string, number>();
  const toRow = (record: DataRecord): DataRecord => {
    const reportLoss = (loss: string) => losses.set(loss, (losses.get(loss) ?? 0) + 1);
    // The importer takes a backslash before a quote for an escape, and every text may be HTML.
    return Object.fromEntries(columns.map(([column, read]) => [column, read(record, reportLoss).replaceAll("\\", "&#92;")]));
  };
  const readRows = async function* () {
    for await (const batch of toBatches(report.records)) yield batch.map(toRow);
    for (const [loss, count] of losses) await context.warn(`${loss} (in ${count} of the ${resource.name})`);
  };
  return {
    ...report,
    columns: columns.map(([path], index) => ({ header: path.toUpperCase(), path, kind: "text", priority: index + 1 })),
    fieldNames: [],
    records: readRows(),
  };
}
