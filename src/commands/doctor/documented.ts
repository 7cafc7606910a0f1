// What an OpenAPI or Swagger document says of a resource: the names of its list's parameters and of its fields. Read tolerantly.
import { type DataRecord, isRecord } from "../../api/record.ts";
import type { Resource } from "../../spec/resource.ts";

/** Names in no order; undefined where the document has no such route. */
export interface DocumentedNames {
  readonly filters: ReadonlySet<string> | undefined;
  readonly fields: ReadonlySet<string> | undefined;
}

const writeMethods = ["post", "put", "patch"] as const;

/** Reads a document; undefined where it is none. Real ones tell the fields at `/{name}/{id}`, or in parameters instead of a body. */
export function findDocumentedNames(resource: Resource, document: unknown): DocumentedNames | undefined {
  const paths = isRecord(document) ? document["paths"] : undefined;
  if (!isRecord(document) || !isRecord(paths)) return undefined;
  const collection = new RegExp(`(?:^|/)${resource.name}/?$`);
  const record = new RegExp(`(?:^|/)${resource.name}/\\{[^/]*\\}/?$`);
  const at = (pattern: RegExp) => Object.entries(paths).flatMap(([path, item]) => (pattern.test(path) && isRecord(item) ? [item] : []));
  const lists = at(collection).flatMap((item) => getOperations(item, "get"));
  const changes = [...at(collection), ...at(record)].flatMap((item) => writeMethods.flatMap((method) => getOperations(item, method)));
  return {
    filters: lists.length === 0 ? undefined : new Set(lists.flatMap((one) => getParameterNames(one, document))),
    fields:
      changes.length === 0
        ? undefined
        : new Set(changes.flatMap((one) => [...getParameterNames(one, document), ...getBodyNames(one, document)])),
  };
}

function getOperations(item: DataRecord, method: string): readonly DataRecord[] {
  const found = item[method];
  return isRecord(found) ? [found] : [];
}

/** The parameters but for those of the path and of the head; Swagger's `body` parameter stands for its schema's properties. */
function getParameterNames(of: DataRecord, document: DataRecord): readonly string[] {
  const list = of["parameters"];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const parameter = resolveSchemaRef(item, document);
    const place = parameter["in"];
    if (place === "path" || place === "header" || place === "cookie") return [];
    const properties = getPropertyNames(parameter["schema"], document);
    if (place === "body" && properties.length > 0) return properties;
    return typeof parameter["name"] === "string" ? [parameter["name"].replace(/\[\]$/, "")] : [];
  });
}

function getBodyNames(of: DataRecord, document: DataRecord): readonly string[] {
  const content = resolveSchemaRef(of["requestBody"], document)["content"];
  if (!isRecord(content)) return [];
  return Object.values(content).flatMap((media) => (isRecord(media) ? getPropertyNames(media["schema"], document) : []));
}

function getPropertyNames(schema: unknown, document: DataRecord): readonly string[] {
  const { properties } = resolveSchemaRef(schema, document);
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** A part of the document, behind one reference of the form `#/a/b`. */
function resolveSchemaRef(part: unknown, document: DataRecord): DataRecord {
  if (!isRecord(part)) return {};
  const reference = part["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return part;
  const found = reference
    .slice(2)
    .split("/")
    .reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), document);
  return isRecord(found) ? found : {};
}
