// From an answer that is no success to the error that a user sees: the statuses and codes of both kinds of server.
import { CalError, type ErrorKind } from "../../errors.ts";
import { toPlainText } from "../../http/clean.ts";
import type { HttpResponse } from "../../http/transport.ts";
import { resources } from "../../spec/index.ts";
import type { ApiRequest } from "../client.ts";
import { type DataRecord, getText, isRecord, valueToText } from "../record.ts";
import { isOutcomeUnknown, outcomeHint, retryAfterHint, unknownOutcomeMessage } from "./outcome.ts";
import { formatExistingTerm, formatMissingLinks, formatMissingRecord, type RecordErrorMessage } from "./refused-record.ts";

const errorKindByStatus: Readonly<Record<number, ErrorKind>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  408: "unavailable",
  410: "not-found",
  425: "unavailable",
  429: "unavailable",
};

/** The parameters of the interface's paths, and the paths that end in them. */
const pathParameterPatterns: Readonly<Record<string, RegExp>> = { id: /\/\d+$/, slug: /\/by-slug\/[^/]+$/ };

/** As whom a request was made, for what is said of a 401. */
export interface LoginState {
  /** Where the access came from that was presented: `keychain`, `CAL_TOKEN`; absent for a visitor. */
  readonly source?: string;
  /** What mends it: as a rule the command that logs in. */
  readonly advice: string;
}

/** The error for an answer with a JSON body. */
export function responseError(request: ApiRequest, response: HttpResponse, body: unknown, login: LoginState): CalError {
  const server = parseServerError(body);
  const status = server.status ?? response.status;
  // A success that holds an error has its status in the body only.
  const said = response.status < 400 ? status : response.status;
  const kind = getErrorKind(request, said, server);
  const trashed = isTrashed(said, server.code);
  const unknown = isOutcomeUnknown(request, response.status);
  const about = trashed ? undefined : (formatInvalidParam(request, kind, server) ?? formatExistingTerm(request, body));
  const answered = about?.message ?? (server.message === "" ? `the server answered ${response.status}` : server.message);
  const words = kind === "unauthenticated" ? `${formatUnauthenticated(login)}; the site says: ${answered}` : answered;
  const message = [unknown ? `${words.replace(/\.$/, "")}${unknownOutcomeMessage}` : words, ...server.params].join("\n  ");
  const advice = about?.hint ?? hiddenStatusHint(request, server, login) ?? errorHint(kind, request, response, trashed, login);
  const hint = unknown ? outcomeHint(request) : advice;
  return new CalError(kind, trashed ? `in the trash: ${message}` : message, {
    status,
    request: { method: request.method, path: request.path },
    server: server.details,
    ...(server.code === "" ? {} : { code: server.code }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Whether a body says that it failed although its status does not: `{"errors":{...}}`, or an error envelope. */
export function isErrorBody(body: unknown): boolean {
  if (!isRecord(body) || "id" in body) return false;
  if (isRecord(body["errors"]) && Object.keys(body["errors"]).length > 0) return true;
  return typeof body["code"] === "string" && typeof body["message"] === "string";
}

interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  /** A line for each bad or missing parameter. */
  readonly params: readonly string[];
  /** The names of the bad parameters of `rest_invalid_param`. */
  readonly invalidParams: readonly string[];
  readonly details: DataRecord;
}

/** Reads `{code, message, data:{status, params}}`, `{errors:{code:[message]}}`, `{error:{code,message}}` and `{error, error_description}`. */
function parseServerError(body: unknown): ServerError {
  const root = isRecord(body) ? body : {};
  const inner = isRecord(root["error"]) ? root["error"] : root;
  const [first] = isRecord(root["errors"]) ? Object.entries(root["errors"]) : [];
  const code = toPlainText(first?.[0] ?? (getText(inner, "code") || getText(root, "error")));
  const text =
    first === undefined
      ? getText(inner, "message") || getText(root, "error_description") || getText(root, "error")
      : [first[1]].flat().map(valueToText).join("; ");
  const data = isRecord(root["data"]) ? root["data"] : {};
  const params = data["params"];
  const named = isRecord(params)
    ? Object.entries(params).map(([name, why]) => `${toPlainText(name)}: ${toPlainText(valueToText(why))}`)
    : [];
  const message = toPlainText(text);
  return {
    code,
    message,
    ...(typeof data["status"] === "number" ? { status: data["status"] } : {}),
    // Where the reason is the same for all, the message has the names already.
    params: named.every((line) => line.endsWith(": Invalid parameter.")) ? [] : named,
    invalidParams: isRecord(params) ? Object.keys(params) : [],
    details: { code, message, ...(isRecord(params) ? { params: sanitizeParams(params) } : {}) },
  };
}

function sanitizeParams(params: DataRecord): DataRecord {
  return Object.fromEntries(Object.entries(params).map(([name, why]) => [toPlainText(name), toPlainText(valueToText(why))]));
}

function getErrorKind(request: ApiRequest, status: number, server: ServerError): ErrorKind {
  if (server.code === "rest_no_route") return "local";
  if (isTrashed(status, server.code)) return "not-found";
  if (status === 400 && server.code === "rest_invalid_param")
    return isPathParameterError(request, server.invalidParams) ? "not-found" : "rejected";
  if (status < 400) return /not-found/.test(server.code) ? "not-found" : "rejected";
  return errorKindByStatus[status] ?? (status >= 500 ? "unavailable" : "rejected");
}

/** A bad `id` or `slug` means "not found" only where it was the path's and the request carried no such key elsewhere. */
function isPathParameterError(request: ApiRequest, bad: readonly string[]): boolean {
  const body = isRecord(request.body) ? request.body : {};
  const elsewhere = (name: string) => Object.hasOwn(body, name) || request.query.some(([key]) => key === name);
  return bad.length > 0 && bad.every((name) => pathParameterPatterns[name]?.test(request.path) === true && !elsewhere(name));
}

/** The record that is not there, where a parameter is called invalid and nothing more. */
function formatInvalidParam(
  request: ApiRequest,
  kind: ErrorKind,
  { code, params, invalidParams }: ServerError,
): RecordErrorMessage | undefined {
  if (code !== "rest_invalid_param") return undefined;
  return kind === "not-found" ? formatMissingRecord(request) : params.length === 0 ? formatMissingLinks(request, invalidParams) : undefined;
}

function isTrashed(status: number, code: string): boolean {
  return status === 410 || code === "event-no-longer-available" || code.endsWith("-is-in-trash");
}

/** What a 401 means, whatever the server's own words are. */
function formatUnauthenticated({ source }: LoginState): string {
  return source === undefined ? "not logged in" : `the site does not accept this login (from ${source})`;
}

/** The Events Calendar calls a status invalid that a visitor may not see. */
function hiddenStatusHint(
  { method, query }: ApiRequest,
  { invalidParams }: ServerError,
  { source, advice }: LoginState,
): string | undefined {
  const hidden = query.some(([name, value]) => /^status\b/.test(name) && value !== "publish");
  return method === "GET" && source === undefined && hidden && invalidParams.includes("status")
    ? `what is not published needs a login: ${advice}`
    : undefined;
}

function errorHint(
  kind: ErrorKind,
  request: ApiRequest,
  response: HttpResponse,
  trashed: boolean,
  { advice }: LoginState,
): string | undefined {
  if (trashed)
    return `see what is in the trash: cal ${getResourceName(request.path)} list --status trash; it comes out of it in the site's own pages`;
  if (kind === "unauthenticated") return `${advice}; in a script: cal help auth`;
  if (kind === "forbidden") return allowHint(response.headers["allow"], request.method);
  if (kind === "not-found") return `see what is there: cal ${getResourceName(request.path)} list`;
  if (response.status === 405) return "the server may not know this method: --method post or --method put";
  if (response.status === 413) return "the server refuses so much data at once";
  if (kind === "unavailable") return retryAfterHint(response.headers);
  return undefined;
}

/** The resource that a path names, for commands in hints. */
function getResourceName(path: string): string {
  const named = path.split("/").findLast((segment) => Object.hasOwn(resources, segment));
  return named ?? "<resource>";
}

/** WordPress says in `Allow` what this user may do. */
function allowHint(allow: string | undefined, method: string): string {
  const own = allow === undefined || allow.includes(method) ? "" : ` (allowed here: ${allow})`;
  return `this user may not do that${own}; who is it? cal auth status`;
}
