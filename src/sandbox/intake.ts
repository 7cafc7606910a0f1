// Reading the body of a request, bounded.
import type { IncomingMessage } from "node:http";

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
