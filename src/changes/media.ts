// Pictures that are uploaded for records: the changes of a plan, and carrying them out. The same file is uploaded once.
import { isUnknownOutcome } from "../api/problems.ts";
import type { RecordSource } from "../api/refs.ts";
import type { ApiReply, ApiRequest } from "../api/request.ts";
import { type DataRecord, getText, idOf, isRecord } from "../data-record.ts";
import { CalError, usageError } from "../errors.ts";
import { valueToText } from "../http/json.ts";
import { PlannedRequest } from "../http/transport.ts";
import { type Change, findNeeds, sortChanges } from "./change.ts";
import { filePrefix, type ImageFile, type ImageFolder } from "./image-file.ts";
import type { Journal } from "./journal.ts";
import type { Uploads } from "./uploads.ts";
import { writeChange } from "./write.ts";

/** What uploads work with. */
export interface MediaTarget {
  readonly site: RecordSource;
  readonly journal: Journal;
  readonly uploads: Uploads;
}

/** Throws a usage error where the server takes no files. */
export function requireMediaPath({ serverProfile: { mediaPath } }: Pick<RecordSource, "serverProfile">): string {
  if (mediaPath !== undefined) return mediaPath;
  throw usageError("this server takes no files: --image takes the id of a picture that it has, or the address of one");
}

// In plans.

/** The upload of a file. Files with the same content are one change. */
export function createMediaChange({ path, type, size, sha256 }: ImageFile, altText?: string): Change {
  const values = { file: path, type, size, sha256, ...(altText !== undefined && { alt_text: altText }) };
  const fields = Object.entries(values).map(([name, to]) => ({ name, to, origin: "input" as const }));
  return { op: "create", resource: "media", key: `media/${sha256.slice(0, 16)}`, title: path, fields, needs: [] };
}

/** The value of an image in the rows of a source: `@` and the hash of the content, which stays where the file is renamed. */
export function toImageValue({ sha256 }: ImageFile): string {
  return `${filePrefix}${sha256}`;
}

/** The changes with the uploads of their images, which are values of `toImageValue`, in the order in which they are carried out. */
export function addUploads(changes: readonly Change[], images: Pick<ImageFolder, "find">): readonly Change[] {
  const uploads = new Map<string, Change>();
  const linked = changes.map((change) => {
    const fields = change.fields.map((field) => {
      const text = field.name === "image" && typeof field.to === "string" ? field.to : "";
      const file = text.startsWith(filePrefix) ? images.find(text.slice(filePrefix.length)) : undefined;
      if (file === undefined) return field;
      const upload = createMediaChange(file);
      uploads.set(upload.key, upload);
      return { ...field, to: { key: upload.key } };
    });
    const needs = findNeeds(Object.fromEntries(fields.map(({ name, to }) => [name, to])));
    return { ...change, fields, needs: [...new Set([...change.needs, ...needs])] };
  });
  return uploads.size === 0 ? changes : sortChanges([...uploads.values(), ...linked]);
}

/** The file of an upload that a plan names, which must still be the one that was planned. Throws a usage error. */
export function findPlannedFile({ fields, title }: Change, images: ImageFolder | undefined): ImageFile {
  const getField = (name: string) => fields.find((field) => field.name === name)?.to;
  if (images === undefined) throw usageError(`the plan uploads ${title}, and no folder with files is known`, "--images <folder> names it");
  const file = images.take(valueToText(getField("file")));
  if (file.sha256 !== getField("sha256"))
    throw new CalError("rejected", `${title} is not the file that was planned: its content is another one`, { code: "stale" });
  return file;
}

// Carrying them out.

/** An upload: its id, and whether it was made now. */
export interface UploadResult {
  readonly id: string;
  readonly isNew: boolean;
  readonly record: DataRecord;
}

/** Uploads a file, unless it is on the site already. */
export async function uploadFile(target: MediaTarget, change: Change, file: ImageFile): Promise<UploadResult | PlannedRequest> {
  const { site, journal, uploads } = target;
  const path = requireMediaPath(site);
  const altText = change.fields.find(({ name }) => name === "alt_text")?.to;
  const known = uploads.find(file.sha256);
  const existing = known && (await readUpload(site, path, known.id));
  if (known !== undefined && existing !== undefined && getText(existing, "source_url") === known.url)
    return { id: known.id, isNew: false, record: existing };
  const { read, name, type, size, sha256 } = file;
  const title = file.path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const request: ApiRequest = {
    method: "POST",
    path,
    query: [["title", title], ...(altText === undefined ? [] : [["alt_text", String(altText)] as const])],
    file: { name, type, size, sha256, read },
  };
  const reply = await writeChange(
    { site, journal },
    { change },
    ({ client }) => client.write(request),
    (answer) => (answer instanceof PlannedRequest ? undefined : { record: requireUpload(answer) }),
  ).catch((error: unknown) => {
    throw explainRefusal(error, file);
  });
  if (reply instanceof PlannedRequest) return reply;
  const record = requireUpload(reply);
  const id = idOf(record) ?? "";
  uploads.add(sha256, { id, url: getText(record, "source_url") });
  return { id, isNew: true, record };
}

function requireUpload({ value }: ApiReply): DataRecord {
  if (isRecord(value) && idOf(value) !== undefined) return value;
  throw new CalError("unavailable", "a picture was uploaded, but the answer does not tell its id", {
    code: "unreadable-answer",
    hint: { text: "find it", command: "cal api GET /wp/v2/media" },
  });
}

/** Undefined where it is not there, or where it can't be seen. */
async function readUpload({ client }: RecordSource, path: string, id: string): Promise<DataRecord | undefined> {
  try {
    const { value } = await client.send({ method: "GET", path: `${path}/${id}`, query: [], optional: true });
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof CalError && ["not-found", "forbidden", "unauthenticated"].includes(error.kind)) return undefined;
    throw error;
  }
}

/** WordPress answers 400 or 403 where a user may not upload files, and 500 for a type that the site does not take. */
function explainRefusal(error: unknown, { path, type }: ImageFile): unknown {
  if (!(error instanceof CalError) || error.kind === "unauthenticated") return error;
  const { code } = error.details;
  if (code === "rest_cannot_create")
    return new CalError("forbidden", "this user may not upload files to the site (upload_files); nothing was uploaded", {
      ...error.details,
      hint: [
        "an administrator can make the user an author or an editor; or --image takes the id of a picture that is there",
        { text: "see who is logged in", command: "cal auth status" },
      ],
    });
  if (code === "rest_upload_sideload_error")
    return new CalError("rejected", `the site does not take ${path} (${type}): ${error.message}`, { ...error.details, hint: [] });
  return error;
}

/** Deletes an upload for good. One that is gone already is deleted. */
export async function deleteUpload(target: MediaTarget, change: Change): Promise<void> {
  const { site, journal, uploads } = target;
  const { id = "" } = change;
  const request = { method: "DELETE", path: `${requireMediaPath(site)}/${id}`, query: [["force", "true"]] } as const;
  try {
    await writeChange(
      { site, journal },
      { change },
      ({ client }) => client.write(request),
      (answer) => (answer instanceof PlannedRequest ? undefined : { record: {} }),
    );
  } catch (error) {
    if (!(error instanceof CalError) || error.kind !== "not-found") throw error;
  }
  uploads.remove(id);
}

/**
 * Deletes an upload again because the write that it was made for failed. Where that can't be done, or where the write may have been done, it is
 * left, and `warn` is told.
 */
export async function discardUpload(
  target: MediaTarget,
  { key, title }: Change,
  id: string,
  cause: unknown,
  warn: (text: string) => Promise<void>,
): Promise<void> {
  const name = `the picture ${title ?? key} was uploaded (${id})`;
  const command = `cal api DELETE '/wp/v2/media/${id}?force=true'`;
  if (cause instanceof CalError && isUnknownOutcome(cause))
    return warn(`${name} and stays, because the outcome of the write is unknown; to delete it: ${command}`);
  try {
    const change: Change = { op: "delete", resource: "media", key: `${key} deleted`, id, ...(title && { title }), fields: [], needs: [] };
    await deleteUpload(target, change);
    await warn(`${name} and deleted again, because nothing uses it`);
  } catch (error) {
    if (!(error instanceof CalError)) throw error;
    await warn(`${name}, nothing uses it, and it could not be deleted again: ${error.message}; to delete it: ${command}`);
  }
}
