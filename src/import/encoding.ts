// The bytes of a source as text: the encoding by its signs, or as it was named.
import { type Hint, usageError } from "../errors.ts";

const encodings: Readonly<Record<string, string>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "utf-16": "utf-16le",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  latin1: "windows-1252",
  "latin-1": "windows-1252",
  "iso-8859-1": "windows-1252",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
};

/** The encoding of `--encoding`, or a usage error. Windows-1252 has the letters of Latin-1, and those of its own that Latin-1 does not use. */
export function checkEncoding(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const encoding = encodings[name.toLowerCase()];
  if (encoding === undefined)
    throw usageError(`--encoding ${JSON.stringify(name)} is not known`, "it is utf-8, utf-16le, utf-16be or latin1");
  return encoding;
}

/** By the byte order mark, by the zeros of UTF-16, else UTF-8 where the first part of the source is; else Windows-1252. */
function detectEncoding(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  const sample = head.subarray(0, 1024);
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 4 && even * 10 < odd) return "utf-16le";
  if (even > sample.length / 4 && odd * 10 < even) return "utf-16be";
  try {
    // The head can end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** The first part of a source as text. */
export function decodeHead(head: Uint8Array): string {
  return new TextDecoder(detectEncoding(head)).decode(head, { stream: true });
}

const binaryFiles: readonly { readonly signature: readonly number[]; readonly what: string; readonly hint: Hint }[] = [
  {
    signature: [0x50, 0x4b, 0x03, 0x04],
    what: "a spreadsheet of Excel or LibreOffice (.xlsx, .ods), or another ZIP file",
    hint: "save it as CSV UTF-8 in the spreadsheet program, and import that file",
  },
  {
    signature: [0xd0, 0xcf, 0x11, 0xe0],
    what: "a file of an old Excel (.xls)",
    hint: "save it as CSV UTF-8 in the spreadsheet program, and import that file",
  },
  { signature: [0x1f, 0x8b], what: "compressed with gzip", hint: { text: "unpack it", command: "gunzip -c FILE | cal events import -" } },
  { signature: [0x25, 0x50, 0x44, 0x46], what: "a PDF", hint: "import the spreadsheet or the calendar that it was made from" },
];

/** A usage error for a file that is no text. */
export function refuseBinary(head: Uint8Array, label: string): void {
  const found = binaryFiles.find(({ signature }) => signature.every((byte, at) => head[at] === byte));
  if (found !== undefined) throw usageError(`${label} is ${found.what}: it can't be imported`, found.hint);
  if (head.length === 0 || detectEncoding(head).startsWith("utf-16")) return;
  if (head.subarray(0, 4096).includes(0)) throw usageError(`${label} is not a text file: it has zero bytes`, textHint);
}

const textHint = "the formats are csv, tsv, json, ndjson, yaml and ics";

/** Decodes chunks as they arrive. A usage error with the line where the text is not in the encoding. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>, label: string, named?: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let encoding = "";
  let lines = 1;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder?.decode(chunk, { stream: chunk !== undefined }) ?? "";
    } catch {
      const where =
        named === undefined
          ? `${label}: after line ${lines} there is a byte that is not ${encoding.toUpperCase()}`
          : `${label} is not in ${encoding.toUpperCase()}: a byte after line ${lines} is not part of it`;
      throw usageError(
        where,
        encoding === "utf-8"
          ? "name the encoding: --encoding latin1; or save the file as UTF-8"
          : "name another encoding: --encoding utf-8",
      );
    }
  };
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      encoding = named ?? detectEncoding(chunk);
      decoder = new TextDecoder(encoding, { fatal: true });
    }
    const text = decode(chunk);
    if (text.includes("\0")) throw usageError(`${label}: after line ${lines} there is a zero byte: this is not a text file`, textHint);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
    yield text;
  }
  yield decode();
}

export async function readText(texts: AsyncIterable<string>, label: string, max: number): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const text of texts) {
    length += text.length;
    if (length > max) throw tooLargeError(label, max);
    parts.push(text);
  }
  return parts.join("");
}

export async function readAll(chunks: AsyncIterable<Uint8Array>, label: string, max: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > max) throw tooLargeError(label, max);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function tooLargeError(label: string, max: number): Error {
  return usageError(`${label} is larger than ${max / 1024 / 1024} MB`, "divide it into several files; csv and ndjson have no limit");
}

/** iCalendar is unfolded by octets before it is decoded. UTF-16 becomes UTF-8 first; a byte order mark is left out. */
export function toOctets(bytes: Uint8Array, named?: string): { bytes: Uint8Array; encoding?: string } {
  const encoding = named ?? detectEncoding(bytes.subarray(0, 65_536));
  if (encoding.startsWith("utf-16")) return { bytes: Buffer.from(new TextDecoder(encoding).decode(bytes)), encoding: "utf-8" };
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { bytes: hasMark ? bytes.subarray(3) : bytes, ...(named !== undefined && { encoding: named }) };
}
