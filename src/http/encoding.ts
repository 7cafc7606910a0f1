// Content codings of an answer: what gzip, deflate and brotli bodies hold, within a limit.
import { codeOf } from "../errors.ts";

/** The largest body that is read, in bytes, decompressed. */
export const maxBodySize = 64 * 1024 * 1024;

/** The body behind its content codings. Rejects where a coding is unknown or broken, or the result is over the limit. */
export async function decodeBody(body: Uint8Array, coding = ""): Promise<Uint8Array> {
  const codings = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (codings.length === 0 || body.length === 0) return body;
  const { gunzip, inflate, inflateRaw, brotliDecompress } = await import("node:zlib");
  const { promisify } = await import("node:util");
  const limit = { maxOutputLength: maxBodySize };
  const decoders: Readonly<Record<string, (data: Uint8Array) => Promise<Uint8Array>>> = {
    gzip: (data) => promisify(gunzip)(data, limit),
    "x-gzip": (data) => promisify(gunzip)(data, limit),
    // Some old servers leave out the zlib header that the standard asks for.
    deflate: (data) => promisify(((data[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(data, limit),
    br: (data) => promisify(brotliDecompress)(data, limit),
  };
  let result = body;
  for (const name of codings.reverse()) {
    const decode = decoders[name];
    if (decode === undefined) throw new Error(`the answer has an unknown content coding: ${name}`);
    result = await decode(result).catch((error: Error) => {
      throw codeOf(error) === "ERR_BUFFER_TOO_LARGE"
        ? error
        : new Error(`the answer can't be unpacked as ${name}: ${error.message}`, { cause: error });
    });
  }
  return result;
}
