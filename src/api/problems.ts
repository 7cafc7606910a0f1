// From an answer that is no success to the error that a user sees: the statuses and codes of both kinds of server.
import { type DataRecord, getText, isRecord } from "../data-record.ts";
import { CalError, type ErrorKind, messageOf } from "../errors.ts";
import { parseJson, valueToText } from "../http/json.ts";
import type { HttpResponse } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { sanitizeLine, shellQuote, toPlainText } from "../text.ts";
import { type ApiRequest, decodeSlug } from "./request.ts";

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

// `rest_no_route`: the site is there, and either has not this namespace, or nothing at this path in it. Says which namespaces the site has.

/** The same error, with the site's namespaces where it was `rest_no_route` and the site's index (`{base_url}/`) tells them. `path` is what was asked for. */
export async function addNamespaces(error: unknown, path: string, read: (path: string) => Promise<HttpResponse>): Promise<unknown> {
  if (!(error instanceof CalError) || error.details.code !== "rest_no_route") return error;
  const names = await fetchNamespaces(read).catch(() => []);
  const calendars = names.filter((name) => name.endsWith("/events/v1"));
  const known = names.length === 0 ? "" : `; the site has: ${names.join(", ")}`;
  return new CalError("local", `${messageOf(error).replace(/\.$/, "")}${known}`, {
    ...error.details,
    cause: error,
    hint: names.some((name) => path.startsWith(`/${name}/`))
      ? "the namespace is right, but this path or method is not in it: cal doc lists those that are"
      : {
          text: `${namespaceHint(names, calendars)}: --namespace ${calendars[0] ?? "<name>"}, or`,
          command: `cal config set namespace ${calendars[0] ?? "<name>"}`,
        },
  });
}

function namespaceHint(names: readonly string[], calendars: readonly string[]): string {
  return calendars.length === 0 && names.includes("wp/v2")
    ? "is The Events Calendar installed and active on this site? Another calendar's namespace"
    : "choose the calendar's namespace";
}

async function fetchNamespaces(read: (path: string) => Promise<HttpResponse>): Promise<readonly string[]> {
  const response = await read("/");
  const index = await parseJson(response.body);
  const names = isRecord(index) ? index["namespaces"] : undefined;
  return Array.isArray(names) ? names.filter(isNamespace) : [];
}

/** What can be a namespace; anything else is not repeated in a command that may be pasted. */
function isNamespace(name: unknown): name is string {
  return typeof name === "string" && /^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(name);
}

// From an answer that is no JSON to the error that a user sees: what stands before the site, or something else in its place.

/** The error for an answer that is not JSON; `why` says how it is not. */
export function notJsonError(request: ApiRequest, response: HttpResponse, why: string): CalError {
  const type = sanitizeLine(response.headers["content-type"] ?? "no content type");
  const place = { status: response.status, request: { method: request.method, path: request.path } };
  if (response.status === 404) {
    return new CalError("local", `there is no calendar interface at this address: 404, ${type}`, {
      ...place,
      code: "no-interface",
      hint: "find the site's address: cal init <site-url>; or cal config set base_url <url>",
    });
  }
  if (response.status === 413)
    return new CalError("rejected", "the server refuses so much data at once (413)", { ...place, code: "too-large" });
  if (response.status === 401 || response.status === 403) {
    return new CalError(
      response.status === 401 ? "unauthenticated" : "forbidden",
      `something before the site refused the request: ${response.status}, ${type}`,
      {
        ...place,
        code: "refused",
        hint: "a firewall or a web server's password protects this address",
      },
    );
  }
  const unknown = isOutcomeUnknown(request, response.status) || (response.status < 400 && request.method !== "GET");
  const hint = unknown
    ? outcomeHint(request)
    : response.status >= 400
      ? retryAfterHint(response.headers)
      : "does base_url point to the REST root of the site? cal init <site-url> finds it";
  return new CalError(
    "unavailable",
    `the server's answer can't be read (${response.status}, ${type}): ${why}${unknown ? unknownOutcomeMessage : ""}`,
    {
      ...place,
      code: "unreadable-answer",
      hint,
    },
  );
}

// A write that was sent and got no usable answer may have been done or not: says so, and how to find out.

/** What follows on why there is no answer. */
export const unknownOutcomeMessage = "; the outcome is unknown: it may have been done";

/** Of these, what was asked for was not done: not known, not now, no room for it. */
const notExecutedStatuses: ReadonlySet<number> = new Set([501, 503, 507]);

/** Whether a status leaves it open: a fault in the middle of a write, or a proxy that gave up waiting for the site. */
function isOutcomeUnknown(request: ApiRequest, status: number): boolean {
  return request.method !== "GET" && status >= 500 && !notExecutedStatuses.has(status);
}

/** When to try again: as the server asks in Retry-After, else later. */
export function retryAfterHint(headers: HttpResponse["headers"]): string {
  const wait = headers["retry-after"];
  if (wait === undefined) return "try again later";
  return `try again ${/^\d+$/.test(wait) ? `in ${wait} s` : `after ${sanitizeLine(wait)}`}: the server asks for it`;
}

const recordRoutePattern = new RegExp(`/(${Object.keys(resources).join("|")})(?:/(by-slug/)?([^/]+))?$`);

/** How to see whether it was done: the record itself, or a search for what was to be created. */
export function outcomeHint(request: ApiRequest): string {
  const [, name, bySlug, ref] = recordRoutePattern.exec(request.path) ?? [];
  const resource = Object.values(resources).find((known) => known.name === name);
  if (resource === undefined) return "look before you repeat it, so that nothing is done twice";
  if (ref !== undefined)
    return `see what is there now: cal ${resource.name} get ${shellQuote(bySlug === undefined ? ref : `slug:${decodeSlug(ref)}`)}`;
  return `look before you repeat it, so that nothing is created twice: ${searchCommand(resource, request.body)}`;
}

/** The list that shows a record that was just created, wherever lists of its resource hide such ones. */
function searchCommand(resource: Resource, body: unknown): string {
  const record = isRecord(body) ? body : {};
  const filters = new Set(resource.filters.map(({ name }) => name));
  const title = getText(record, resource.titleField);
  const status = getText(record, "status");
  return [
    `cal ${resource.name} list`,
    ...(title === "" ? [] : [`--search ${shellQuote(title)}`]),
    ...(resource.hasDates ? ["--all-dates"] : []),
    ...(filters.has("hide_empty") ? ["--include-empty"] : []),
    ...(filters.has("status") && status !== "" ? [`--status ${shellQuote(status)}`] : []),
  ].join(" ");
}

// Refusals that are about a record: "invalid parameter" where it names none, "already exists" where there is one. Servers don't say which.

/** What to say instead of the server's words, and where to look. */
interface RecordErrorMessage {
  readonly message: string;
  readonly hint: string;
}

/** The record that the path names, by id or by slug; undefined for the path of a list. */
function formatMissingRecord({ path }: ApiRequest): RecordErrorMessage | undefined {
  const [, name = "", id, slug] = /\/([a-z]+)\/(?:(\d+)|by-slug\/([^/]+))$/.exec(path) ?? [];
  const resource = findResourceByName(name);
  return resource === undefined
    ? undefined
    : formatMissing([resource], [`there is no ${resource.singular} ${id ?? quoteSlug(slug ?? "")}`]);
}

/** The linked records that bad parameters name; undefined where one of the parameters names none by its id. */
function formatMissingLinks(request: ApiRequest, bad: readonly string[]): RecordErrorMessage | undefined {
  const own = findResourceByPath(request);
  const named = bad.flatMap((name) => {
    const field = (request.method === "GET" ? own?.filters : own?.fields)?.find((one) => one.name === name);
    const ids = findLinkedIds(request, name);
    return field?.refersTo === undefined || ids.length === 0 || !ids.every((id) => /^0*[1-9]\d*$/.test(id))
      ? []
      : { ids, target: resources[field.refersTo] };
  });
  if (named.length === 0 || named.length < bad.length) return undefined;
  const lines = named.map(({ ids, target }) =>
    ids.length === 1 ? `there is no ${target.singular} ${ids[0]}` : `not all of the ${target.name} ${ids.join(", ")} are there`,
  );
  return formatMissing(
    named.map(({ target }) => target),
    lines,
  );
}

/** The category or tag that has the name already, as WordPress tells it. */
function formatExistingTerm(request: ApiRequest, body: unknown): RecordErrorMessage | undefined {
  const data = isRecord(body) && body["code"] === "term_exists" ? body["data"] : undefined;
  const id = isRecord(data) ? valueToText(data["term_id"]) : "";
  const resource = findResourceByPath(request);
  if (resource === undefined || !/^\d+$/.test(id)) return undefined;
  const { name, singular } = resource;
  return {
    message: `there is a ${singular} of this name already: ${id}`,
    hint: `see it: cal ${name} get ${id}; an event gets it with --${singular} ${id}`,
  };
}

function formatMissing(targets: readonly Resource[], lines: readonly string[]): RecordErrorMessage {
  const lists = [...new Set(targets.map(({ name }) => `cal ${name} list`))];
  return { message: lines.join("\n"), hint: `see what is there: ${lists.join(", ")}` };
}

function findLinkedIds({ query, body }: ApiRequest, name: string): readonly string[] {
  const typed = query.flatMap(([key, value]) => (key === name || key === `${name}[]` ? value.split(",") : []));
  const sent = isRecord(body) ? body[name] : undefined;
  return [...typed, ...(sent === undefined ? [] : [sent].flat().map(valueToText))];
}

/** What the path of a list or of one record is about. */
function findResourceByPath({ path }: ApiRequest): Resource | undefined {
  return findResourceByName(/\/([a-z]+)(?:\/\d+|\/by-slug\/[^/]+)?$/.exec(path)?.[1] ?? "");
}

function findResourceByName(name: string): Resource | undefined {
  return Object.values(resources).find((known) => known.name === name);
}

function quoteSlug(slug: string): string {
  return JSON.stringify(decodeSlug(slug));
}
