// A record as a WordPress site stores it, beside what the calendar interface shows of it: the source of its texts, its date in UTC, its price.
import { type DataRecord, isRecord } from "../data-record.ts";
import { CalError } from "../errors.ts";
import type { Resource } from "../model/resource.ts";
import type { RecordSource } from "./refs.ts";
import { normalizeDateTime } from "./reply.ts";
import type { Input } from "./request.ts";

export interface RawRecord {
  /** The values of fields as they are stored, by the names of the calendar interface. */
  readonly values: Input;
  /** Its rows of further data, by their names in WordPress: `_EventCost`. */
  readonly meta: DataRecord;
  /** Whether this user may store any HTML (`unfiltered_html`); undefined where the site does not say. */
  readonly allowsAnyHtml?: boolean;
}

/** Errors about one record; any other error is about the whole interface. */
const recordErrors: ReadonlySet<string> = new Set(["rest_post_invalid_id", "rest_forbidden_context", "rest_cannot_edit"]);

/** Answers after which the same may succeed. */
const transientStatuses: ReadonlySet<number | undefined> = new Set([undefined, 429, 503]);

/** Without the rendered texts, which would run the shortcodes of the page. */
const rawFields = "id,date_gmt,title.raw,content.raw,excerpt.raw,meta,_links";

/**
 * The stored record; undefined where the server profile, the site or the user has no access to it. Rejects where the site can't answer now:
 * without the stored record a write could lose what it holds.
 */
export async function readRawRecord(
  { client, serverProfile, rawAccess }: RecordSource,
  resource: Resource,
  id: string,
): Promise<RawRecord | undefined> {
  const path = serverProfile.rawPaths[resource.name];
  if (path === undefined || rawAccess?.isDenied === true) return undefined;
  const query = [
    ["context", "edit"],
    ["_fields", rawFields],
  ] as const;
  try {
    const { value } = await client.send({ method: "GET", path: `${path}/${id}`, query, optional: true });
    return isRecord(value) ? parseRawRecord(resource, value) : undefined;
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    const { status, code = "" } = error.details;
    if (transientStatuses.has(status)) throw error;
    if (rawAccess !== undefined && (status === 401 || !recordErrors.has(code))) rawAccess.isDenied = true;
    return undefined;
  }
}

/** Whether the user may store any HTML in a record of this resource; undefined where the site does not say. */
export async function readAllowsAnyHtml(
  { client, serverProfile, rawAccess }: RecordSource,
  resource: Resource,
): Promise<boolean | undefined> {
  if (serverProfile.rawPaths[resource.name] === undefined || rawAccess?.isDenied === true) return undefined;
  const query = [
    ["context", "edit"],
    ["_fields", "capabilities"],
  ] as const;
  try {
    const { value } = await client.send({ method: "GET", path: "/wp/v2/users/me", query, optional: true });
    const capabilities = isRecord(value) ? value["capabilities"] : undefined;
    return isRecord(capabilities) ? capabilities["unfiltered_html"] === true : undefined;
  } catch (error) {
    // It is for a warning only.
    if (error instanceof CalError) return undefined;
    throw error;
  }
}

function parseRawRecord({ fields, titleField }: Resource, value: DataRecord): RawRecord {
  const stored: Input = {
    [titleField]: getSource(value["title"]),
    description: getSource(value["content"]),
    excerpt: getSource(value["excerpt"]),
    date_utc: normalizeDateTime(value["date_gmt"]),
  };
  const values = fields.flatMap(({ name }) => (stored[name] === undefined ? [] : [[name, stored[name]] as const]));
  const { meta, _links: links } = value;
  return {
    values: Object.fromEntries(values),
    meta: isRecord(meta) ? meta : {},
    // WordPress lists what this user may do as relations of the links.
    ...(isRecord(links) ? { allowsAnyHtml: Object.keys(links).some((name) => name.endsWith("action-unfiltered-html")) } : {}),
  };
}

function getSource(text: unknown): string | undefined {
  const raw = isRecord(text) ? text["raw"] : undefined;
  return typeof raw === "string" ? raw : undefined;
}
