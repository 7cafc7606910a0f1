// The body of a request: JSON or the usual request parameters (section 4 of the interface).
import { type Params, parameters } from "./parameters.ts";
import { problem } from "./problems.ts";
import type { Incoming } from "./wire.ts";

/** A body, read. */
export interface Payload {
  readonly params: Params;
  /** Whether the values have JSON's types; otherwise they are all texts. */
  readonly typed: boolean;
}

/** Reads the body by its content type; 400 for broken JSON. A body of another type counts as empty, as on real servers. */
export function payload(request: Incoming): Payload {
  const [type = ""] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  if (/^application\/(.+\+)?json$/.test(type.trim())) return { params: fromJson(request.body), typed: true };
  if (type.trim() === "application/x-www-form-urlencoded") return { params: parameters(request.body), typed: false };
  if (type.trim() === "multipart/form-data") return { params: fromMultipart(request), typed: false };
  return { params: {}, typed: false };
}

function fromJson(body: string): Params {
  if (body.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(body);
    // A JSON list or text is no set of parameters; real servers read it as none.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    throw problem(400, "rest_invalid_json", "Invalid JSON body passed.", { json_error_code: 4, json_error_message: "Syntax error" });
  }
}

/** Fields only: the part of a file is left out. */
function fromMultipart(request: Incoming): Params {
  const boundary = /boundary="?([^";]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) return {};
  const pairs = request.body.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const name = /name="([^"]+)"/i.exec(head)?.[1];
    return name === undefined || /filename=/i.test(head) ? [] : [[name, rest.join("\r\n\r\n").replace(/\r\n$/, "")]];
  });
  return parameters(new URLSearchParams(pairs).toString());
}
