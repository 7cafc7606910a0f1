// The pictures of the records that are copied. They are public: they are read without a login, and from the source's own origin only.
import { createBase, hashText } from "../../changes/compare.ts";
import { describeImage, filePrefix, type ImageFile, type ImageFolder, maxMegabytes } from "../../changes/image-file.ts";
import type { LedgerEntry } from "../../changes/ledger.ts";
import { getText, isRecord } from "../../data-record.ts";
import { CalError, messageOf, usageError } from "../../errors.ts";
import { valueToText } from "../../http/json.ts";
import type { CopiedPicture } from "./rows.ts";
import type { SourceRecord } from "./source-records.ts";

/** They are found by the values that `read` returns. */
export interface SourcePictures extends ImageFolder {
  /** The picture of a record; undefined where it has none. It is not read where an earlier copy has sent it: then the entry of the ledger has it. */
  read(one: SourceRecord, entry: LedgerEntry | undefined): Promise<CopiedPicture | undefined>;
}

interface PictureOptions {
  /** Of the source. */
  readonly origin: string;
  /** Why no picture is copied; undefined where they are. */
  readonly refusal: string | undefined;
  /** Of each, in milliseconds. */
  readonly timeout: number;
  readonly ca?: readonly string[];
}

export function openSourcePictures(options: PictureOptions): SourcePictures {
  const reads = new Map<string, Promise<ImageFile>>();
  const files = new Map<string, ImageFile>();
  const readOnce = async (url: URL, path: string): Promise<ImageFile> => {
    const readAgain = () =>
      download(url, options).catch((error: unknown) => {
        throw new CalError("rejected", `${path} can't be read again: ${messageOf(error)}; it was not uploaded`, { code: "stale" });
      });
    const file = describeImage(await download(url, options), { file: "it", path, readAgain });
    files.set(path, file);
    return file;
  };
  return {
    read: async ({ resource, record: { image } }, entry) => {
      const address = isRecord(image) ? getText(image, "url") : valueToText(image || "");
      if (address === "") return undefined;
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (url === undefined) return { loss: options.refusal ?? "its address is not known" };
      const path = formatPath(url);
      const value = `${filePrefix}${path}`;
      const { image: hash } = createBase(resource, ["image"], { image: value }, {}).sent;
      if (entry !== undefined && "id" in entry && entry.sent["image"] === hash) return { value };
      if (options.refusal !== undefined) return { loss: options.refusal };
      const read = reads.get(url.href) ?? readOnce(url, path);
      reads.set(url.href, read);
      try {
        await read;
        return { value };
      } catch (error) {
        if (!(error instanceof CalError)) throw error;
        return { loss: `${path}: ${error.message}` };
      }
    },
    take: (path) => {
      const file = files.get(path);
      if (file === undefined) throw usageError(`the picture ${path} was not read`);
      return file;
    },
    find: (path) => files.get(path),
  };
}

/** Names a picture: its path, readable. Its parameters can be secret, so they are a hash. */
function formatPath({ pathname, search }: URL): string {
  const encoded = pathname.replace(/^\/+/, "");
  const folder = search === "" ? "" : `${hashText(search).slice(0, 8)}/`;
  try {
    const decoded = decodeURI(encoded);
    return folder + (/\p{C}/u.test(decoded) ? encoded : decoded);
  } catch {
    return folder + encoded;
  }
}

/** Whatever is wrong with the address, the answer or the connection is a CalError. */
async function download(url: URL, { origin, timeout, ca }: PictureOptions): Promise<Uint8Array> {
  const { openUrl } = await import("../../import/url.ts");
  // The source is a site that the user has chosen: it may be one of a private network.
  const { body } = await openUrl(url.href, {
    onlyOrigin: origin,
    allowPrivate: true,
    allowHttp: origin.startsWith("http:"),
    timeout,
    ...(ca !== undefined && { ca }),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxMegabytes * 1_000_000) throw usageError(`it has more than ${maxMegabytes} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
