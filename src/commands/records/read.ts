// The record that a ref names, read; by slug, whether it is the one that was asked for: servers make a slug of what was sent before they look for it.
import { normalizeSlug } from "../../api/address.ts";
import type { Site } from "../../api/lookup.ts";
import { type DataRecord, getText, idOf } from "../../api/record.ts";
import type { PathRef } from "../../api/ref.ts";
import { parseRecord } from "../../api/reply.ts";
import { buildReadRequest } from "../../api/request.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import { describeRecord } from "./after.ts";

/** Reads a record to show it; that its slug is another one is said on stderr. */
export async function readToShow(context: Context, site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  const record = await read(site, resource, path);
  const other = formatSlugMismatch(resource, path, record);
  if (other !== undefined) await context.notice(other);
  return record;
}

/** Reads a record that is to be written or copied; rejects with kind `rejected` where its slug is another one. */
export async function readToWrite(site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  const record = await read(site, resource, path);
  const other = formatSlugMismatch(resource, path, record);
  if (other === undefined) return record;
  throw new CalError("rejected", `${other}; nothing was sent`, {
    code: "other-record",
    hint: `if it is the one that you mean, name it by its id: id:${idOf(record) ?? "..."}`,
  });
}

async function read(site: Site, resource: Resource, path: PathRef): Promise<DataRecord> {
  return parseRecord(resource, await site.client.send(buildReadRequest(site.namespace, resource, path)));
}

/** A record without a slug, as drafts are, is taken as it is. */
function formatSlugMismatch(resource: Resource, path: PathRef, record: DataRecord): string | undefined {
  const own = getText(record, "slug");
  if (path.by === "id" || own === "" || normalizeSlug(own) === normalizeSlug(path.slug)) return undefined;
  return `there is no slug ${JSON.stringify(path.slug)}; the server gave ${describeRecord(resource, record)} with the slug ${JSON.stringify(normalizeSlug(own))}`;
}
