// The linked records among what was given: from refs and names to ids.
import { resolveId, type Site } from "../../api/lookup.ts";
import { isRecord } from "../../api/record.ts";
import { parseRef, type Ref } from "../../api/ref.ts";
import type { Input } from "../../api/request.ts";
import { exactId } from "../../api/writable.ts";
import { CalError, usage } from "../../errors.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import type { Resource } from "../../spec/resource.ts";
import type { ServerKind } from "../../spec/server-kinds.ts";
import { shown } from "./after.ts";

/** Replaces every ref of a linked record by its id; inline data stays as it is. Looks up only what is no id. */
export async function resolveLinks(site: Site, fields: readonly Field[], values: Input): Promise<Input> {
  const resolved: Record<string, unknown> = { ...values };
  for (const field of fields) {
    const value = values[field.name];
    if (field.refersTo === undefined || value === undefined) continue;
    const target = resources[field.refersTo];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const ids: unknown[] = [];
    for (const item of items) ids.push(...(typeof item === "string" ? await idsOf(site, target, item) : [item]));
    resolved[field.name] = field.type === "integers" ? ids.filter((id, at) => isRecord(id) || ids.indexOf(id) === at) : ids[0];
  }
  return resolved;
}

/** Throws a usage error where this kind of server takes one linked record and several were given. */
export function refuseTooMany(resource: Resource, values: Input, kind: ServerKind): void {
  const fields = (kind.scalars[resource.name] ?? []).filter((name) => Array.isArray(values[name]) && values[name].length > 1);
  if (fields.length > 0) throw usage(fields.map((name) => `--${name} takes one record on this server, not ${shown(values[name])}`));
}

/** The whole text is tried first, then its comma-separated parts. */
async function idsOf(site: Site, target: Resource, text: string): Promise<readonly (number | string)[]> {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > 0 && parts.every((part) => /^(?:id:)?\d+$/.test(part))) return parts.map((part) => exactId(part.replace("id:", "")));
  try {
    return [exactId(await resolveId(site, target, linkRef(text)))];
  } catch (error) {
    if (parts.length < 2 || !(error instanceof CalError) || error.details.code !== "no-match") throw error;
    const ids: (number | string)[] = [];
    for (const part of parts) ids.push(exactId(await resolveId(site, target, linkRef(part))));
    return ids;
  }
}

/** A link may name its record by a bare text with any characters, slashes too. */
function linkRef(text: string): Ref {
  return /^(?:id|slug|name):/.test(text) || /^\d+$/.test(text) ? parseRef(text) : { by: "slug", slug: text };
}
