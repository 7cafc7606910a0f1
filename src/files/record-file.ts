// A record as a file: fields in a fixed order, one on each line, without those that have their default.
import type { Input } from "../api/request.ts";
import { valueToText } from "../http/json.ts";
import type { Field, Resource } from "../model/resource.ts";
import { parseYamlMapping, stringifyYamlField, type YamlEntry, type YamlProblem } from "../output/yaml.ts";

/** Fields that a file can have, and that a pull does not write: the user and the day belong to one site. */
const unwrittenFields = ["author", "date", "date_utc"];

/** Whether a file without the field leaves it as it is. Any other field that a file does not have has its default. */
export function isUnwritten({ name }: Field): boolean {
  return unwrittenFields.includes(name);
}

/** The value of a field that a file does not have, as a text. */
export function getDefaultText({ name, type, format }: Field): string {
  if (name === "status") return "publish";
  return type === "boolean" || format === "flag-string" ? "false" : "";
}

/** The fields in the order of a file: name, dates and their zone come first, long texts last. */
export function listFileFields({ fields, titleField }: Resource): readonly Field[] {
  const rankOf = ({ name, format }: Field) => {
    const first = [titleField, "start_date", "end_date", "timezone"].indexOf(name);
    return first === -1 ? (format === "html" ? 5 : 4) : first;
  };
  return [...fields].sort((left, right) => rankOf(left) - rankOf(right));
}

/** The text of a file. `values` are as they would be sent; in place of ids the names of linked records. */
export function formatRecordFile(resource: Resource, values: Input): string {
  const isAllDay = values["all_day"] === true;
  const isScheduled = values["status"] === "future";
  return listFileFields(resource)
    .flatMap((field) => {
      const { name } = field;
      const value = values[name];
      if (isUnwritten(field) && !(isScheduled && name === "date_utc")) return [];
      if (Array.isArray(value)) {
        const [first = "", ...others] = value.map((one) => valueToText(one));
        if (first === "") return [];
        return [stringifyYamlField(name, field.multiple === true || others.length > 0 ? [first, ...others] : first)];
      }
      if (typeof value === "boolean") return value ? [stringifyYamlField(name, value)] : [];
      const text = valueToText(value)
        .replace(/\r\n?/g, "\n")
        .replace(/\p{Surrogate}/gu, "\ufffd");
      if (text === getDefaultText(field)) return [];
      if (field.format === "flag-string") return [stringifyYamlField(name, text === "true" ? true : text)];
      return [stringifyYamlField(name, field.format === "date-time" ? formatDate(text, isAllDay) : text)];
    })
    .join("");
}

/** `2027-01-16 20:00`; seconds where there are some; of an event that lasts all day only the day. */
function formatDate(text: string, isAllDay: boolean): string {
  const [, day = "", minutes = "", seconds = ""] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  if (day === "") return text;
  return isAllDay ? day : `${day} ${minutes}${seconds === "00" || seconds === "" ? "" : `:${seconds}`}`;
}

/** What a file says, in its order, and what is wrong with it. */
export function parseRecordFile(text: string): { readonly entries: readonly YamlEntry[]; readonly problems: readonly YamlProblem[] } {
  return parseYamlMapping(text.replace(/^\ufeff/, ""));
}
