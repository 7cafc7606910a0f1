// The JSON Schema of record files, so that editors complete and check them.
import type { Field, Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { listFileFields } from "./record-file.ts";

/** The schema of the files of one resource; of all of them where none is named. */
export function createFileSchema(resource: Resource | undefined): object {
  const head = { $schema: "https://json-schema.org/draft/2020-12/schema" };
  if (resource !== undefined) return { ...head, ...createRecordSchema(resource) };
  const all = Object.values(resources);
  return {
    ...head,
    title: "A record of the calendar",
    anyOf: all.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(all.map((one) => [one.name, createRecordSchema(one)])),
  };
}

function createRecordSchema(resource: Resource): object {
  const { singular, titleField, hasDates } = resource;
  return {
    title: `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`,
    type: "object",
    properties: Object.fromEntries(listFileFields(resource).map((field) => [field.name, createFieldSchema(field)])),
    required: [titleField, ...(hasDates ? ["start_date"] : [])],
    additionalProperties: false,
  };
}

/** YAML reads `12` as a number; the file takes the text. */
const text = { type: ["string", "number", "null"] } as const;

function createFieldSchema({ type, format, values, refersTo, meaning }: Field): object {
  const described = { description: meaning };
  if (refersTo !== undefined) {
    const link = { type: ["string", "integer", "null"], description: `Of a file of ${refersTo}: its name or its title` };
    return type === "integer" ? { ...link, ...described } : { anyOf: [link, { type: "array", items: link }], ...described };
  }
  if (type === "boolean" || format === "flag-string") return { type: ["boolean", "null"], default: false, ...described };
  if (type === "integer") return { type: ["integer", "null"], ...described };
  if (format === "date-time")
    return {
      type: "string",
      pattern: "^\\d{4}-\\d{2}-\\d{2}(?:[ T]\\d{2}:\\d{2}(?::\\d{2})?)?$",
      examples: ["2027-01-16 20:00"],
      ...described,
    };
  if (format === "time-zone") return { type: "string", examples: ["Europe/Paris"], ...described };
  if (values !== undefined)
    return { anyOf: [{ enum: values }, { type: "string" }], ...(format === "status" && { default: "publish" }), ...described };
  return { ...text, ...described };
}
