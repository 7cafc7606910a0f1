// The index of a site's REST root -> what a profile needs to know of the site. The shape of the index is not shown in the interface.
import { type DataRecord, isRecord } from "../record.ts";

/** What an index says; absent where it says nothing usable. */
export interface SiteIndex {
  readonly namespaces: readonly string[];
  readonly name?: string;
  /** IANA name, `UTC`, or an offset such as `+02:00`. */
  readonly site_tz?: string;
  /** The page on which a user approves an application password. */
  readonly authorization_page?: string;
}

/** Reads an index; undefined where the value is none. The index of a single namespace is none. */
export function parseSiteIndex(value: unknown): SiteIndex | undefined {
  if (!isRecord(value) || typeof value["namespace"] === "string") return undefined;
  const namespaces = parseNamespaces(value);
  if (namespaces === undefined) return undefined;
  const tz = parseTimeZone(value);
  const page = getNestedValue(value, "authentication", "application-passwords", "endpoints", "authorization");
  const safe = typeof page === "string" && /^https?:\/\//i.test(page) && URL.canParse(page);
  return {
    namespaces,
    ...(typeof value["name"] === "string" && value["name"] !== "" ? { name: value["name"] } : {}),
    ...(tz === undefined ? {} : { site_tz: tz }),
    ...(safe ? { authorization_page: page } : {}),
  };
}

function parseNamespaces(index: DataRecord): string[] | undefined {
  const { namespaces, routes } = index;
  if (Array.isArray(namespaces)) return namespaces.filter((name) => typeof name === "string");
  if (!isRecord(routes)) return undefined;
  const names = Object.values(routes).map((route) => getNestedValue(route, "namespace"));
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))].map(String);
}

function parseTimeZone(index: DataRecord): string | undefined {
  const { timezone_string: name, gmt_offset: hours } = index;
  if (typeof name === "string" && name !== "") return name;
  const offset = typeof hours === "string" && hours !== "" ? Number(hours) : hours;
  if (typeof offset !== "number" || !(Math.abs(offset) < 15)) return undefined;
  if (offset === 0) return "UTC";
  const minutes = Math.round(Math.abs(offset) * 60);
  const digits = (count: number) => String(count).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${digits(Math.floor(minutes / 60))}:${digits(minutes % 60)}`;
}

function getNestedValue(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((part: unknown, name) => (isRecord(part) ? part[name] : undefined), value);
}
