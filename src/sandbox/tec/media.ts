// The media library of `wp/v2`: pictures are uploaded as the body of a request, read, and deleted for good.
import { createApiError, createNoRouteError, jsonResponse, type SandboxRequest, type SandboxResponse } from "../http.ts";
import type { CoreRequest, CoreWriteRequest } from "../routes.ts";
import type { JsonObject, Site } from "../site.ts";
import type { Picture, StoreReader } from "../store.ts";
import { hasRole } from "./rules.ts";

const pathPattern = /^\/wp\/v2\/media(?:\/(\d+))?\/?$/;

export function isMediaPath(path: string): boolean {
  return pathPattern.test(path);
}

export function readMedia({ data, site, path }: CoreRequest): SandboxResponse {
  const [, id] = pathPattern.exec(path) ?? [];
  if (id !== undefined) return jsonResponse(200, formatPicture(site, findPicture(data, id)));
  const pictures = data.all("pictures").map((picture) => formatPicture(site, picture));
  return jsonResponse(200, pictures, { "x-wp-total": String(pictures.length), "x-wp-totalpages": "1" });
}

export function writeMedia(call: CoreWriteRequest): SandboxResponse {
  const [, id] = pathPattern.exec(call.path) ?? [];
  if (id === undefined && call.method === "POST") return upload(call);
  if (id !== undefined && call.method === "DELETE") return remove(call, id);
  throw createNoRouteError();
}

/** In base64: the smallest JPEG, for the pictures of the seed. */
const smallestPicture =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";

/** Answers a request for a file itself, to anybody; undefined for any other path. */
export function readUploadedFile(data: StoreReader, { method, path }: SandboxRequest): SandboxResponse | undefined {
  const [, name] = /^\/wp-content\/uploads\/([^/]+)$/.exec(path) ?? [];
  const picture = data.all("pictures").find((one) => one.name === name);
  if (picture === undefined || (method !== "GET" && method !== "HEAD")) return undefined;
  const isSeeded = picture.content === undefined;
  const type = isSeeded && picture.name.endsWith(".pdf") ? "application/pdf" : (picture.type ?? "image/jpeg");
  const body = type === "application/pdf" ? "%PDF-1.4\n" : Buffer.from(picture.content ?? smallestPicture, "base64").toString("latin1");
  return { status: 200, headers: { "content-type": type }, body, isBinary: true };
}

function findPicture(data: StoreReader, id: string): Picture {
  const picture = data.find("pictures", id);
  if (picture === undefined) throw createApiError(404, "rest_post_invalid_id", "Invalid post ID.");
  return picture;
}

/** The types that the site takes, by their first bytes. */
const signatures: readonly { readonly type: string; readonly pattern: RegExp }[] = [
  { type: "image/jpeg", pattern: /^\xff\xd8\xff/ },
  { type: "image/png", pattern: /^\x89PNG\r\n\x1a\n/ },
  { type: "image/gif", pattern: /^GIF8[79]a/ },
  { type: "image/webp", pattern: /^RIFF.{4}WEBP/s },
  { type: "image/avif", pattern: /^.{4}ftypavif/s },
];

function upload({ data, site, user, query, headers, body }: CoreWriteRequest): SandboxResponse {
  if (!hasRole(user, "author"))
    throw createApiError(user === undefined ? 401 : 403, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
  if (body === "") throw createApiError(400, "rest_upload_no_data", "No data supplied.");
  const disposition = headers["content-disposition"];
  if (disposition === undefined) throw createApiError(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.");
  const [, sent] = /^attachment;\s*filename="?([^"]+)"?$/.exec(disposition) ?? [];
  if (sent === undefined)
    throw createApiError(400, "rest_upload_invalid_disposition", "Invalid Content-Disposition supplied. It must be a file name.");
  const type = signatures.find(({ pattern }) => pattern.test(body))?.type;
  if (type === undefined || headers["content-type"] !== type)
    throw createApiError(500, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type.");
  const name = createFreeName(data, sent);
  const text = (parameter: string) => (typeof query[parameter] === "string" ? query[parameter] : undefined);
  const [title, alt] = [text("title"), text("alt_text")];
  const picture: Picture = {
    id: data.nextId("posts"),
    name,
    width: 1200,
    height: 800,
    type,
    size: body.length,
    content: Buffer.from(body, "latin1").toString("base64"),
    author: user?.id ?? 0,
    ...(title !== undefined && { title }),
    ...(alt !== undefined && { alt }),
  };
  data.put("pictures", picture);
  return jsonResponse(201, formatPicture(site, picture), { location: `${site.origin}/wp-json/wp/v2/media/${picture.id}` });
}

/** `poster-1.jpg` where there is a `poster.jpg`. */
function createFreeName(data: StoreReader, name: string, number = 0): string {
  const own = number === 0 ? name : name.replace(/(\.\w+)?$/, `-${number}$1`);
  return data.all("pictures").some((picture) => picture.name === own) ? createFreeName(data, name, number + 1) : own;
}

function remove({ data, site, user, query }: CoreWriteRequest, id: string): SandboxResponse {
  const picture = findPicture(data, id);
  if (!hasRole(user, "editor") && (picture.author !== user?.id || !hasRole(user, "author")))
    throw createApiError(user === undefined ? 401 : 403, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
  if (query["force"] !== "true")
    throw createApiError(501, "rest_trash_not_supported", "The post does not support trashing. Set 'force=true' to delete.");
  data.remove("pictures", picture.id);
  return jsonResponse(200, { deleted: true, previous: formatPicture(site, picture) });
}

function formatPicture(site: Site, { id, name, width, height, type = "image/jpeg", alt = "", title, author = 1 }: Picture): JsonObject {
  return {
    id,
    slug: name.replace(/\.\w+$/, ""),
    status: "inherit",
    type: "attachment",
    title: { rendered: title ?? name.replace(/\.\w+$/, "") },
    author,
    alt_text: alt,
    media_type: "image",
    mime_type: type,
    media_details: { width, height, file: name },
    source_url: `${site.origin}/wp-content/uploads/${name}`,
  };
}
