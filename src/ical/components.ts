// The components and properties of an iCalendar file (RFC 5545, 3.1 to 3.4), with their lines. The only importer of ical.js.
import { isUtf8 } from "node:buffer";
import ICAL from "ical.js";
import { isRecord } from "../data-record.ts";
import { usageError } from "../errors.ts";
import { sanitizeLine } from "../text.ts";

/** A property that was read. Dates, durations and rules are texts as in the file. */
export interface IcalProperty {
  readonly name: string;
  readonly line: number;
  /** By name in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly values: readonly unknown[];
}

export interface Component {
  /** In upper case. */
  readonly name: string;
  /** Of its BEGIN. */
  readonly line: number;
  readonly properties: readonly IcalProperty[];
  /** Properties that can't be read: the name in lower case (`""` where there is none), and the line. */
  readonly unreadable: readonly { readonly name: string; readonly line: number }[];
  readonly children: readonly Component[];
}

interface OpenComponent extends Component {
  readonly properties: IcalProperty[];
  readonly unreadable: { readonly name: string; readonly line: number }[];
  readonly children: Component[];
}

/** Only these are kept: an alarm, a task or a photo in base64 needs no memory. */
const keptComponents: Readonly<Record<string, string>> = {
  VCALENDAR: "",
  VEVENT: "VCALENDAR",
  VTIMEZONE: "VCALENDAR",
  STANDARD: "VTIMEZONE",
  DAYLIGHT: "VTIMEZONE",
};

const keptProperties = new Set(
  [
    ["uid", "recurrence-id", "sequence", "last-modified", "dtstamp", "dtstart", "dtend", "duration", "rrule", "exrule", "rdate", "exdate"],
    ["summary", "description", "x-alt-desc", "location", "geo", "organizer", "categories", "url", "attach", "image", "status", "class"],
    ["tzid", "x-lic-location", "tzoffsetfrom", "tzoffsetto"],
  ].flat(),
);

const ical = ICAL.design.icalendar;
const asText = {};
// Dates, durations and rules stay as they are in the file: ical.js guesses where they are malformed.
const design = {
  ...ical,
  value: { ...ical.value, date: asText, "date-time": asText, duration: asText, period: asText, recur: asText, binary: asText },
};

/** The calendars of a file. A usage error where it is none, or where it ends in the middle; `label` begins the message. */
export function readComponents(bytes: Uint8Array, label: string, encoding?: string): { calendars: Component[]; warnings: string[] } {
  const root: Component[] = [];
  const warnings: string[] = [];
  const open: { name: string; line: number; kept?: OpenComponent }[] = [];
  const decode = createDecoder(bytes, encoding);
  let last = 0;
  let count = 0;
  let bare: OpenComponent | undefined;
  for (const { line, text } of unfoldLines(bytes)) {
    last = line;
    const [, word, component = ""] = /^\s*(BEGIN|END)\s*:\s*([\w-]+)\s*$/i.exec(text) ?? [];
    const name = component.toUpperCase();
    const parent = open.at(-1);
    if (word === undefined) {
      if (parent === undefined) {
        if (root.length === 0)
          throw usageError(
            `${label}:${line}: this is not an iCalendar file: it begins with ${JSON.stringify(sanitizeLine(decode(text)).slice(0, 40))}`,
          );
        if (text.trim() !== "" && warnings.length < maxNotes) warnings.push(`line ${line} is outside of a calendar and is not read`);
      } else if (parent.kept !== undefined) addProperty(parent.kept, line, text, decode);
    } else if (word.toUpperCase() === "BEGIN") {
      if (parent === undefined && name === "VEVENT") {
        // Some programs export events without a calendar around them.
        const calendar: OpenComponent = { name: "VCALENDAR", line, properties: [], unreadable: [], children: [] };
        root.push(calendar);
        bare = calendar;
      } else if (parent === undefined && name !== "VCALENDAR")
        throw usageError(`${label}:${line}: BEGIN:${name} stands outside of a VCALENDAR`);
      const within = parent === undefined && name === "VEVENT" ? "VCALENDAR" : (parent?.kept?.name ?? "");
      const isKept = Object.hasOwn(keptComponents, name) && within === keptComponents[name];
      const kept: OpenComponent | undefined = isKept ? { name, line, properties: [], unreadable: [], children: [] } : undefined;
      if (kept !== undefined) (parent?.kept ?? (name === "VEVENT" ? bare : undefined))?.children.push(kept);
      if (kept !== undefined && name === "VCALENDAR") root.push(kept);
      count += 1;
      if (count > maxComponents) throw usageError(`${label} has more than 100,000 components`, "divide it into several files");
      open.push({ name, line, ...(kept && { kept }) });
    } else {
      if (parent?.name !== name) {
        const expected = parent === undefined ? "nothing is open" : `END:${parent.name} is missing, for line ${parent.line}`;
        throw usageError(`${label}:${line}: END:${name} stands where ${expected}`);
      }
      open.pop();
    }
  }
  const cut = open.at(-1);
  if (cut !== undefined)
    throw usageError(`${label}:${last}: the file ends within the ${cut.name} of line ${cut.line}`, "was it cut? fetch or export it again");
  if (root.length === 0) throw usageError(`${label} is empty: an iCalendar file has BEGIN:VCALENDAR`);
  return { calendars: root, warnings };
}

/** Events, alarms and all others of a file: 64 MB of empty ones would take gigabytes. */
const maxComponents = 100_000;

/** Lines without a meaning that are named. */
const maxNotes = 10;

/** Characters of a property at most. Longer ones are images in base64. */
const maxPropertyLength = 1_000_000;

/** Adds a property that is of use. A line that is none, or that ical.js can't read, is noted. */
function addProperty(component: OpenComponent, line: number, text: string, decode: (text: string) => string): void {
  const [, name = "", rest] = /^\s*([\w-]+)\s*([;:].*)$/s.exec(text) ?? [];
  const key = name.toLowerCase();
  if (rest === undefined && component.unreadable.length < maxNotes) component.unreadable.push({ name: "", line });
  if (rest === undefined || !keptProperties.has(key)) return;
  if (text.length > maxPropertyLength) return void component.unreadable.push({ name: key, line });
  try {
    const [, parameters, type, ...values]: readonly unknown[] = ICAL.parse.property(repairLine(key + decode(rest)), design);
    const texts = Object.entries(isRecord(parameters) ? parameters : {}).map(([parameter, value]) => [
      parameter.toLowerCase(),
      Array.isArray(value) ? value.join(",") : String(value),
    ]);
    const isUnknown = typeof type !== "string" || !Object.hasOwn(ical.value, type);
    component.properties.push({
      name: key,
      line,
      parameters: { ...Object.fromEntries(texts), ...(type === "binary" && { encoding: "BASE64" }) },
      values: isUnknown ? values.map((value) => unescapeText(String(value))) : values,
    });
  } catch {
    component.unreadable.push({ name: key, line });
  }
}

/** Two faults that Exchange and others make: `TZID="W. Europe Standard Time:2020..."`, and `DTSTART;;VALUE=DATE-TIME:`. */
function repairLine(line: string): string {
  return line.replace(/^([\w-]+;TZID=)"([^":]*):(\d{8}(?:T\d{6}Z?)?)"$/i, '$1"$2":$3').replace(/^([\w-]+);;+/, "$1;");
}

/** A text of a type that ical.js does not know, such as X-ALT-DESC (RFC 5545, 3.3.11). */
function unescapeText(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_whole, sign: string) => (sign.toLowerCase() === "n" ? "\n" : sign));
}

interface ContentLine {
  readonly line: number;
  /** Each character is a byte of the file: a fold can split the bytes of one character. */
  readonly text: string;
}

/** The lines without their folds. Line ends are CRLF, LF or CR; empty lines are left out, within folds too (old Mozilla files). */
function* unfoldLines(bytes: Uint8Array): Generator<ContentLine> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  let parts: string[] = [];
  let first = 0;
  let line = 0;
  for (let at = 0; at < whole.length; ) {
    const lf = whole.indexOf("\n", at);
    const end = lf === -1 ? whole.length : lf;
    const text = whole.slice(at, end).replace(/\r+$/, "");
    at = end + 1;
    line += 1;
    if (text === "") continue;
    if (/^[ \t]/.test(text) && parts.length > 0) parts.push(text.slice(1));
    else {
      if (parts.length > 0) yield { line: first, text: parts.join("") };
      parts = [text];
      first = line;
    }
  }
  if (parts.length > 0) yield { line: first, text: parts.join("") };
}

/** UTF-8 where every line is, else Windows-1252, which includes ISO-8859-1. */
function createDecoder(bytes: Uint8Array, encoding?: string): (text: string) => string {
  const isNotAscii = (text: string) => /[\u0080-\u00ff]/.test(text);
  let detected = "utf-8";
  if (encoding === undefined) {
    for (const { text } of unfoldLines(bytes)) if (isNotAscii(text) && !isUtf8(Buffer.from(text, "latin1"))) detected = "windows-1252";
  }
  const decoder = new TextDecoder(encoding ?? detected);
  return (text) => (isNotAscii(text) ? decoder.decode(Buffer.from(text, "latin1")) : text);
}
