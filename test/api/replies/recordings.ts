// The recorded answers of a real server, and a server that gives each of them again, byte for byte, under an address of its own.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll } from "vitest";

export interface Recording {
  /** Its name, with the version in front where the newer one answers otherwise. */
  readonly name: string;
  readonly method: string;
  /** As it was requested: path and query, seldom a whole URL. */
  readonly path: string;
  readonly requestBody: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The body's JSON; undefined where it is none. */
  readonly json: unknown;
}

type Row = Readonly<Record<"name" | "method" | "path" | "request_body", string>>;

const rows: readonly Row[] = parse(readFileSync(new URL("../../recorded/index.csv", import.meta.url)), {
  columns: true,
  relax_quotes: true,
});

/** What a server that replays must decide itself. */
const hopByHop = /^(?:transfer-encoding|connection|content-length)$/;

/** Every recorded answer of both versions. */
export const recordings: readonly Recording[] = ["recorded", "recorded-6.17.2"].flatMap((folder) =>
  readdirSync(new URL(`../../${folder}/`, import.meta.url))
    .filter((file) => file.endsWith(".http"))
    .map((file) => readRecording(folder, file)),
);

function readRecording(folder: string, file: string): Recording {
  const bytes = readFileSync(new URL(`../../${folder}/${file}`, import.meta.url));
  const end = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const body = bytes.subarray(end + 4);
  const headers = Object.fromEntries(
    lines
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()] as const)
      .filter(([key]) => !hopByHop.test(key)),
  );
  const name = file.replace(".http", "");
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`${name} is not in index.csv`);
  return {
    name: folder === "recorded" ? name : `${folder}/${name}`,
    method: row.method,
    path: row.path,
    requestBody: row.request_body,
    status: Number(first.split(" ")[1]),
    headers,
    body,
    json: parseJson((headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString("utf8")),
  };
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Starts a server that answers whatever is asked under a recording's address with the recording; resolves with what gives the addresses. */
export async function startReplayServer(): Promise<(recording: Recording) => string> {
  const server = createServer((request, response) => {
    const recording = recordings[Number(request.url?.split("/")[1])];
    response.writeHead(recording?.status ?? 599, recording?.headers ?? {}).end(recording?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (recording) => `http://127.0.0.1:${port}/${recordings.indexOf(recording)}/wp-json`;
}
