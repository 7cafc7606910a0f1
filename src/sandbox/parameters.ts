// Request parameters as servers of this kind read them: `a[]=1&a[]=2`, `a[0]=1`, `venue[city]=Rome`; of repeated names the last counts.

import type { IncomingMessage } from "node:http";
import { createApiError, type SandboxRequest } from "./http.ts";

/** Parameters by name; values are texts, or what a JSON body held. */
export type Params = Readonly<Record<string, unknown>>;

type NestedParams = { [key: string]: string | NestedParams };

/** No prototype, so that `__proto__` is a name like any other. */
function createNestedParams(): NestedParams {
  return Object.create(null);
}

/** Reads a query or a form body. Bracketed names become arrays where all keys are numbers, else objects. */
export function parseParameters(text: string): Params {
  const root = createNestedParams();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name);
    const path = keys?.[1] === undefined ? [name] : [keys[1], ...(keys[2] ?? "").slice(1, -1).split("][")];
    if (path.length <= 4) setNestedValue(root, path, value);
  }
  return Object.fromEntries(Object.entries(root).map(([name, value]) => [name, toPlainValue(value)]));
}

function setNestedValue(into: NestedParams, path: readonly string[], value: string): void {
  const [first = "", ...rest] = path;
  const key = first === "" ? String(Object.keys(into).length) : first;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const held = into[key];
  const next = typeof held === "object" ? held : createNestedParams();
  into[key] = next;
  setNestedValue(next, rest, value);
}

function toPlainValue(value: string | NestedParams): unknown {
  if (typeof value === "string") return value;
  const keys = Object.keys(value);
  const values = Object.values(value).map(toPlainValue);
  if (keys.every((key) => /^\d+$/.test(key))) return values;
  return Object.fromEntries(keys.map((key, index) => [key, values[index]]));
}

/** The items of a value that may be an array, a comma-separated text or one thing. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return value.split(",").map((part) => part.trim());
  return [value];
}

// The body of a request: JSON or the usual request parameters (section 4 of the interface).

/** A body, read. */
export interface Payload {
  readonly params: Params;
  /** Whether the values have JSON's types; otherwise they are all texts. */
  readonly hasJsonTypes: boolean;
}

/** Reads the body by its content type; 400 for broken JSON. A body of another type counts as empty, as on real servers. */
export function parsePayload(request: SandboxRequest): Payload {
  const [type = ""] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  if (/^application\/(.+\+)?json$/.test(type.trim())) return { params: parseJsonBody(request.body), hasJsonTypes: true };
  if (type.trim() === "application/x-www-form-urlencoded") return { params: parseParameters(request.body), hasJsonTypes: false };
  if (type.trim() === "multipart/form-data") return { params: parseMultipartBody(request), hasJsonTypes: false };
  return { params: {}, hasJsonTypes: false };
}

function parseJsonBody(body: string): Params {
  if (body.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    // A JSON list or text is no set of parameters; real servers read it as none.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    throw createApiError(400, "rest_invalid_json", "Invalid JSON body passed.", { json_error_code: 4, json_error_message: "Syntax error" });
  }
}

/** Fields only: the part of a file is left out. */
function parseMultipartBody(request: SandboxRequest): Params {
  const boundary = /boundary="?([^";]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return {};
  const pairs = request.body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const name = /name="([^"]+)"/i.exec(head)?.[1];
    return name === undefined || /filename=/i.test(head) ? [] : [[name, rest.join("\r\n\r\n").replace(/\r\n$/, "")]];
  });
  return parseParameters(new URLSearchParams(pairs).toString());
}

// Reading the body of a request, bounded.

/** Bytes of a body that are read; more is answered with 413. */
const maxBodyBytes = 1_000_000;

/** Bytes that are read and thrown away so that the client can read its 413; after that the connection is cut. */
const maxDrainedBytes = 32_000_000;

/** The body as text; undefined where it is too large. Rejects where the client goes away. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Buffer)) continue;
    length += chunk.length;
    if (length > maxDrainedBytes) break;
    if (length <= maxBodyBytes) chunks.push(chunk);
  }
  return length > maxBodyBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}
