// The body of a request: JSON or the usual request parameters (section 4 of the interface).
import { type Params, parseParameters } from "./parameters.ts";
import { createApiError } from "./problems.ts";
import type { SandboxRequest } from "./wire.ts";

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
