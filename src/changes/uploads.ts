// The files that were uploaded to a site from this machine, so that each is uploaded once. It is kept in the state folder.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../data-record.ts";
import { stringifyExact } from "../http/json.ts";
import type { SiteId } from "./change.ts";
import { hashText } from "./compare.ts";

export interface Upload {
  readonly id: string;
  readonly url: string;
  /** Whether a later operation uses it too: then an undo of the first one leaves it. */
  readonly isShared: boolean;
}

export interface Uploads {
  find(sha256: string): Upload | undefined;
  findById(id: string): Upload | undefined;
  add(sha256: string, upload: Pick<Upload, "id" | "url">): void;
  /** Another operation than the one that uploaded it uses it. */
  share(sha256: string): void;
  remove(id: string): void;
}

/** One line of the file; without an id the upload is gone. */
interface Line {
  readonly sha256: string;
  readonly id?: string;
  readonly url?: string;
  readonly isShared?: boolean;
}

export function openUploads(stateFolder: string, site: SiteId): Uploads {
  const path = join(stateFolder, "uploads", `${hashText(site)}.ndjson`);
  const uploads = new Map<string, Upload>();
  const take = ({ sha256, id, url = "", isShared = false }: Line) => {
    if (id === undefined) uploads.delete(sha256);
    else uploads.set(sha256, { id, url, isShared });
  };
  for (const line of readLines(path)) take(line);
  const put = (line: Line) => {
    take(line);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, `${stringifyExact(line)}\n`, { mode: 0o600 });
    } catch {
      // Without it a file is uploaded a second time.
    }
  };
  return {
    find: (sha256) => uploads.get(sha256),
    findById: (id) => [...uploads.values()].find((upload) => upload.id === id),
    add: (sha256, upload) => put({ sha256, ...upload }),
    share: (sha256) => {
      const known = uploads.get(sha256);
      if (known !== undefined && !known.isShared) put({ sha256, ...known, isShared: true });
    },
    remove: (id) => {
      for (const [sha256, upload] of uploads) if (upload.id === id) put({ sha256 });
    },
  };
}

/** The same uploads for a plan of which nothing is carried out. */
export function toReadOnly(uploads: Uploads): Uploads {
  const ignore = () => undefined;
  return { ...uploads, add: ignore, share: ignore, remove: ignore };
}

function readLines(path: string): readonly Line[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) && typeof value["sha256"] === "string" ? [toLine(value["sha256"], value)] : [];
    } catch {
      return [];
    }
  });
}

function toLine(sha256: string, { id, url, isShared }: Readonly<Record<string, unknown>>): Line {
  return {
    sha256,
    ...(typeof id === "string" && { id }),
    ...(typeof url === "string" && { url }),
    ...(isShared === true && { isShared }),
  };
}
