// From an answer that is not a success to the error that a user sees, for both server profiles.
import { type DataRecord, getText, isRecord } from "../data-record.ts";
import { CalError, type ErrorKind, type Hint, type Hints, messageOf } from "../errors.ts";
import { toPlainText } from "../html-text.ts";
import { parseJson, valueToText } from "../http/json.ts";
import type { HttpResponse } from "../http/transport.ts";
import type { Resource } from "../model/resource.ts";
import { resources } from "../model/resources.ts";
import { sanitizeLine, shellQuote } from "../text.ts";
import { type ApiRequest, decodeSlug } from "./request.ts";

/** The login of a request, for the message of a 401. */
export interface LoginState {
  /** Where the credential is from: `keychain`, `CAL_TOKEN`; absent without one. */
  readonly source?: string;
  /** What to do about it, usually the command that logs in. */
  readonly advice: Hint;
}

/** The error for an answer with a JSON body. */
export function responseError(request: ApiRequest, response: HttpResponse, body: unknown, login: LoginState): CalError {
  const server = parseServerError(response, body);
  const serverKind = getErrorKind(request, server, login);
  const record = server.trashed
    ? undefined
    : (explainInvalidParam(request, serverKind, server) ?? explainInvalidImage(request, server) ?? explainExistingTerm(request, body));
  const kind = record?.kind ?? serverKind;
  const unknown = isOutcomeUnknown(request, response.status);

  let message = record?.message ?? (server.message || `the server answered ${response.status}`);
  if (kind === "unauthenticated") {
    message = `${describeRejection(server, login)}; the site says: ${message}`;
  }
  if (unknown) message = `${message.replace(/\.$/, "")}${unknownOutcomeMessage}`;
  if (server.trashed) message = `in the trash: ${message}`;
  if (server.code === passwordErrorCode) message = `the event has a password: ${message}`;
  const hint = unknown ? outcomeHint(request) : (record?.hint ?? responseHint(request, response, kind, server, login));
  return new CalError(kind, [message, ...server.paramLines].join("\n  "), {
    status: server.status,
    request: { method: request.method, path: request.path },
    server: server.details,
    ...(server.code === "" ? {} : { code: server.code }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The Events Calendar's code for an event with a password that it does not show. */
export const passwordErrorCode = "event-password-protected";

/** Whether a body is an error although its status is a success: `{"errors":{...}}`, or an error envelope. */
export function isErrorBody(body: unknown): boolean {
  if (!isRecord(body) || "id" in body) return false;
  if (isRecord(body["errors"]) && Object.keys(body["errors"]).length > 0) return true;
  return typeof body["code"] === "string" && typeof body["message"] === "string";
}

interface ServerError {
  readonly code: string;
  readonly message: string;
  /** The status in the body, or else that of the answer. */
  readonly status: number;
  /** The status in the body only where that of the answer is a success. */
  readonly errorStatus: number;
  readonly trashed: boolean;
  /** The names of the bad parameters. */
  readonly params: readonly string[];
  /** A line for each bad parameter; none where the reason is the same for all, for then the message has the names. */
  readonly paramLines: readonly string[];
  readonly details: DataRecord;
}

/** Reads `{code, message, data:{status, params}}`, `{errors:{code:[message]}}`, `{error:{code,message}}` and `{error, error_description}`. */
function parseServerError(response: HttpResponse, body: unknown): ServerError {
  const root = isRecord(body) ? body : {};
  const inner = isRecord(root["error"]) ? root["error"] : root;
  const [first] = isRecord(root["errors"]) ? Object.entries(root["errors"]) : [];
  const code = toPlainText(first?.[0] ?? (getText(inner, "code") || getText(root, "error")));
  const message = toPlainText(
    first === undefined
      ? getText(inner, "message") || getText(root, "error_description") || getText(root, "error")
      : [first[1]].flat().map(valueToText).join("; "),
  );
  const data = isRecord(root["data"]) ? root["data"] : {};
  const params = isRecord(data["params"]) ? data["params"] : {};
  const reasons = Object.entries(params).map(([name, why]) => [toPlainText(name), toPlainText(valueToText(why))] as const);
  const lines = reasons.map(([name, why]) => `${name}: ${why}`);
  const status = typeof data["status"] === "number" ? data["status"] : response.status;
  const errorStatus = response.status < 400 ? status : response.status;
  return {
    code,
    message,
    status,
    errorStatus,
    trashed: errorStatus === 410 || code === "event-no-longer-available" || code.endsWith("-is-in-trash"),
    params: Object.keys(params),
    paramLines: lines.every((line) => line.endsWith(": Invalid parameter.")) ? [] : lines,
    details: { code, message, ...(isRecord(data["params"]) ? { params: Object.fromEntries(reasons) } : {}) },
  };
}

const errorKindByStatus: Readonly<Record<number, ErrorKind>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not-found",
  408: "unavailable",
  410: "not-found",
  425: "unavailable",
  429: "unavailable",
};

/** The Events Calendar from 6.17: the id is that of a record that is no event. */
const wrongEventCode = "rest-invalid-event-id";

function getErrorKind(request: ApiRequest, { code, errorStatus: status, trashed, params }: ServerError, { source }: LoginState): ErrorKind {
  if (code === "rest_no_route") return "local";
  if (trashed || code === wrongEventCode) return "not-found";
  if (status === 400 && code === "rest_invalid_param") return isPathParameterError(request, params) ? "not-found" : "rejected";
  if (status < 400) return /not-found/.test(code) ? "not-found" : "rejected";
  // A login may help with a draft or an event with a password.
  if (status === 403 && source === undefined) return "unauthenticated";
  return errorKindByStatus[status] ?? (status >= 500 ? "unavailable" : "rejected");
}

/** The codes of WordPress for a visitor who may not do something. A login that is wrong has other codes in most versions. */
const visitorCode = /^rest_(?:forbidden|not_logged_in|cannot_)/;

function isAnsweredAsVisitor({ code }: ServerError, { source }: LoginState): boolean {
  return source !== undefined && visitorCode.test(code);
}

function describeRejection(server: ServerError, login: LoginState): string {
  if (login.source === undefined) return "not logged in";
  if (isAnsweredAsVisitor(server, login))
    return `the site took this request for a visitor's, although a login was sent (from ${login.source})`;
  return `the site does not accept this login (from ${login.source})`;
}

/** What to do where a site ignores the login of a request. */
export const droppedHeaderHints: readonly Hint[] = [
  "the web server probably drops the Authorization header before it reaches the site; its administrator adds one of these lines",
  'Apache: CGIPassAuth On, or: SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1',
  "nginx with FastCGI: fastcgi_param HTTP_AUTHORIZATION $http_authorization;",
  "CGI, in .htaccess: RewriteRule .* - [E=HTTP_AUTHORIZATION:%{HTTP:Authorization}]",
];

/** The parameters of the interface's paths, and the paths that end in them. */
const pathParameterPatterns: Readonly<Record<string, RegExp>> = { id: /\/\d+$/, slug: /\/by-slug\/[^/]+$/ };

/** A bad `id` or `slug` means "not found" only where it is in the path, and neither in the body nor in the query. */
function isPathParameterError({ path, query, body }: ApiRequest, params: readonly string[]): boolean {
  const isElsewhere = (name: string) => (isRecord(body) && Object.hasOwn(body, name)) || query.some(([key]) => key === name);
  return params.length > 0 && params.every((name) => pathParameterPatterns[name]?.test(path) === true && !isElsewhere(name));
}

function responseHint(
  { method, path, query }: ApiRequest,
  { status, headers }: HttpResponse,
  kind: ErrorKind,
  server: ServerError,
  login: LoginState,
): Hints | undefined {
  const { trashed, params } = server;
  const { source, advice } = login;
  // For The Events Calendar a status that a visitor may not see is invalid.
  const asksForHidden = query.some(([name, value]) => /^status\b/.test(name) && value !== "publish");
  if (method === "GET" && source === undefined && asksForHidden && params.includes("status"))
    return ["records that are not published need a login", advice];
  if (method !== "GET" && params.includes("image")) return imageHint;
  const list = `cal ${path.split("/").findLast((segment) => Object.hasOwn(resources, segment)) ?? "<resource>"} list`;
  if (trashed) return [{ text: "see what is in the trash", command: `${list} --status trash` }, ...restoreHint(path)];
  if (kind === "unauthenticated" && isAnsweredAsVisitor(server, login))
    return [
      ...droppedHeaderHints,
      { text: "or the login is wrong; to log in again", ...(typeof advice === "string" ? { command: advice } : advice) },
    ];
  if (server.code === passwordErrorCode && source === undefined) return ["it needs the login of a user who may edit the event", advice];
  if (kind === "unauthenticated") return [advice, { text: "in a script", command: "cal help auth" }];
  if (kind === "forbidden") {
    // WordPress lists in `Allow` what this user may do.
    const { allow } = headers;
    const allowed = allow === undefined || allow.includes(method) ? "" : ` (allowed here: ${allow})`;
    return { text: `this user may not do that${allowed}; see who is logged in`, command: "cal auth status" };
  }
  if (kind === "not-found") return { text: "see what is there", command: list };
  if (status === 405) return "the server may not know this method: --method post or --method put";
  if (status === 413) return "the server refuses so much data at once";
  return kind === "unavailable" ? retryAfterHint(headers) : undefined;
}

/** The command that takes the record of a path out of the trash. */
function restoreHint(path: string): readonly Hint[] {
  const { resource, id, slug } = parseRecordPath(path) ?? {};
  const ref = slug === undefined ? id : `slug:${slug}`;
  return resource === undefined || ref === undefined
    ? []
    : [{ text: "restore it", command: `cal ${resource.name} restore ${shellQuote(ref)}` }];
}

/** For `rest_no_route`: the same error with the namespaces of the site, where its index tells them. Any other error is returned as it is. */
export async function addNamespaces(error: unknown, path: string, read: (path: string) => Promise<HttpResponse>): Promise<unknown> {
  if (!(error instanceof CalError) || error.details.code !== "rest_no_route") return error;
  const index = await read("/")
    .then(({ body }) => parseJson(body))
    .catch(() => undefined);
  const listed = isRecord(index) && Array.isArray(index["namespaces"]) ? index["namespaces"] : [];
  // What can't be a namespace must not get into a command that may be pasted.
  const names = listed.filter((name): name is string => typeof name === "string" && /^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(name));
  const calendar = names.find((name) => name.endsWith("/events/v1"));
  const choice =
    calendar === undefined && names.includes("wp/v2")
      ? "is The Events Calendar installed and active on this site? Another calendar's namespace"
      : "choose the calendar's namespace";
  const known = names.length === 0 ? "" : `; the site has: ${names.join(", ")}`;
  return new CalError("local", `${messageOf(error).replace(/\.$/, "")}${known}`, {
    ...error.details,
    cause: error,
    hint: names.some((name) => path.startsWith(`/${name}/`))
      ? { text: "the namespace is right, but this path or method is not in it; see those that are", command: "cal doc" }
      : {
          text: `${choice}: --namespace ${calendar ?? "<name>"}, or`,
          command: `cal config set namespace ${calendar ?? "<name>"}`,
        },
  });
}

/** The error for an answer that is not JSON, from the site at `baseUrl` or from something in front of it; `why` says how it is not JSON. */
export function notJsonError(request: ApiRequest, response: HttpResponse, why: string, baseUrl: string): CalError {
  const { status, headers } = response;
  const type = sanitizeLine(headers["content-type"] ?? "no content type");
  const fail = (kind: ErrorKind, code: string, message: string, hint?: Hints) =>
    new CalError(kind, message, {
      status,
      request: { method: request.method, path: request.path },
      code,
      ...(hint === undefined ? {} : { hint }),
    });
  if (status === 404) {
    const hint = [
      { text: "find the site's address", command: "cal init <site-url>" },
      { text: "or", command: "cal config set base_url <url>" },
    ];
    return fail("local", "no-interface", `there is no calendar interface at this address: 404, ${type}`, hint);
  }
  if (status === 405) {
    const hint = hasIndexRoot(baseUrl)
      ? "the administrator of the web server must allow PUT, PATCH and DELETE"
      : plainPermalinksHint(baseUrl);
    const message = `the web server refuses ${request.method} at this REST root, and nothing was changed: 405, ${type}`;
    return fail("local", "method-refused", message, [hint, { text: "to find the site's REST root", command: "cal init <site-url>" }]);
  }
  if (status === 413) return fail("rejected", "too-large", "the server refuses so much data at once (413)");
  if (status === 401 || status === 403) {
    const hint = "a firewall or a web server's password protects this address";
    const kind = status === 401 ? "unauthenticated" : "forbidden";
    return fail(kind, "refused", `something before the site refused the request: ${status}, ${type}`, hint);
  }
  const unknown = isOutcomeUnknown(request, status) || (status < 400 && request.method !== "GET");
  const message = `the server's answer can't be read (${status}, ${type}): ${why}${unknown ? unknownOutcomeMessage : ""}`;
  const wrongRootHint = { text: "does base_url point to the REST root of the site? To find it", command: "cal init <site-url>" };
  // Where permalinks are plain, WordPress answers any path of /wp-json with its front page.
  const isFrontPage = status < 300 && /\bhtml\b/i.test(type) && !hasIndexRoot(baseUrl);
  const hint = unknown ? outcomeHint(request) : status >= 400 ? retryAfterHint(headers) : wrongRootHint;
  return fail("unavailable", "unreadable-answer", message, isFrontPage ? [hint, plainPermalinksHint(baseUrl)] : hint);
}

function hasIndexRoot(baseUrl: string): boolean {
  return /\/index\.php(?:[/?]|$)/.test(baseUrl);
}

/** The REST root of a WordPress site with plain permalinks: PATCH and DELETE reach it also where the web server has no rewrites. */
function plainPermalinksHint(baseUrl: string): Hint {
  const { origin, pathname } = new URL(baseUrl);
  const root = `${origin}${pathname.replace(/\/(?:wp-json\/?)?$/, "")}/index.php?rest_route=/`;
  return { text: "if the site's permalinks are plain", command: `cal config set base_url ${shellQuote(root)}` };
}

export const maxRedirects = 5;

/** The error for an answer that redirects to another origin, where no login is sent, or that is not followed for another reason. */
export function redirectError(
  baseUrl: string,
  { method, path }: Pick<ApiRequest, "method" | "path">,
  status: number,
  next: URL | undefined,
  hasLogin: boolean,
): CalError {
  const own = new URL(baseUrl);
  const details = { status, request: { method, path }, code: "redirected" };
  const findRootHint = { text: "find the site's REST root", command: "cal init <site-url>" };
  if (next?.origin === own.origin) {
    const why =
      method === "GET" ? `more than ${maxRedirects} times, last to ${next.pathname}` : `to ${next.pathname}; it was not repeated there`;
    return new CalError("local", `the site redirects this ${method} ${why}`, { ...details, hint: findRootHint });
  }
  const isSite = next !== undefined && (next.protocol === "https:" || next.protocol === own.protocol);
  const target = isSite ? next.origin : "an address that is not a site";
  return new CalError(
    "local",
    `the site redirects to ${target}; ${hasLogin ? "your login was not sent there" : "nothing was sent there"}`,
    {
      ...details,
      hint: isSite
        ? {
            text: "if that is the site's new address",
            command: `cal config set base_url ${shellQuote(`${next.origin}${own.pathname}${own.search}`)}`,
          }
        : findRootHint,
    },
  );
}

/** When to try again: after the server's Retry-After, or later. */
export function retryAfterHint(headers: HttpResponse["headers"]): string {
  const wait = headers["retry-after"];
  if (wait === undefined) return "try again later";
  return `try again ${/^\d+$/.test(wait) ? `in ${wait} s` : `after ${sanitizeLine(wait)}`}: the server asks for it`;
}

/** Added to the message of a write that was sent and got no usable answer. */
export const unknownOutcomeMessage = "; the outcome is unknown: it may have been done";

/** Whether a write may have been done although it failed with this error. */
export function isUnknownOutcome({ message }: CalError): boolean {
  return message.includes(unknownOutcomeMessage);
}

/** A write was not executed: the method is unknown, the server is busy, or it has no space. */
const notExecutedStatuses: ReadonlySet<number> = new Set([501, 503, 507]);

/** Any other 5xx may come in the middle of a write, or from a proxy that did not wait for the site. */
function isOutcomeUnknown(request: ApiRequest, status: number): boolean {
  return request.method !== "GET" && status >= 500 && !notExecutedStatuses.has(status);
}

/** How to see whether a write was done: the record itself, or a list that shows it wherever lists of its resource hide such ones. */
export function outcomeHint({ path, body }: ApiRequest): Hint {
  const target = parseRecordPath(path);
  if (target === undefined) return "look before you repeat it, so that nothing is done twice";
  const { resource, id, slug } = target;
  const ref = slug === undefined ? id : `slug:${slug}`;
  if (ref !== undefined) return { text: "see what is there now", command: `cal ${resource.name} get ${shellQuote(ref)}` };
  const record = isRecord(body) ? body : {};
  const filters = new Set(resource.filters.map(({ name }) => name));
  const title = getText(record, resource.titleField);
  const status = getText(record, "status");
  const command = [
    `cal ${resource.name} list`,
    ...(title === "" ? [] : [`--search ${shellQuote(title)}`]),
    ...(resource.hasDates ? ["--all-dates"] : []),
    ...(filters.has("hide_empty") ? ["--include-empty"] : []),
    ...(filters.has("status") && status !== "" ? [`--status ${shellQuote(status)}`] : []),
  ].join(" ");
  return { text: "look before you repeat it, so that nothing is created twice", command };
}

/** Replaces the server's message and the default hint, for servers do not say which record they mean. */
interface RecordError {
  /** Where it is another than that of the status. */
  readonly kind?: ErrorKind;
  readonly message: string;
  readonly hint: Hints;
}

/** The record that is missing, where a parameter is called invalid without a reason. */
function explainInvalidParam(request: ApiRequest, kind: ErrorKind, { code, params, paramLines }: ServerError): RecordError | undefined {
  if (code !== "rest_invalid_param" && code !== wrongEventCode) return undefined;
  const target = parseRecordPath(request.path);
  if (kind === "not-found") {
    const ref = target?.slug === undefined ? target?.id : JSON.stringify(target.slug);
    if (target === undefined || ref === undefined) return undefined;
    return missingRecordError([target.resource], `there is no ${target.resource.singular} ${ref}`);
  }
  if (paramLines.length > 0) return undefined;
  // The linked records that the parameters name by their ids; nothing is said where one names none.
  const links = params.flatMap((name) => {
    const fields = request.method === "GET" ? target?.resource.filters : target?.resource.fields;
    const refersTo = fields?.find((field) => field.name === name)?.refersTo;
    const ids = findLinkedIds(request, name);
    return refersTo === undefined || ids.length === 0 || !ids.every((id) => /^0*[1-9]\d*$/.test(id))
      ? []
      : [{ ids, to: resources[refersTo] }];
  });
  if (links.length === 0 || links.length < params.length) return undefined;
  const lines = links.map(({ ids, to }) =>
    ids.length === 1 ? `there is no ${to.singular} ${ids[0]}` : `not all of the ${to.name} ${ids.join(", ")} are there`,
  );
  const missing = missingRecordError(
    links.map(({ to }) => to),
    lines.join("\n"),
  );
  // A list of records that are linked to one that does not exist.
  return request.method === "GET" ? { ...missing, kind: "not-found" } : missing;
}

const imageHint: readonly Hint[] = [
  "--image takes the id of a picture in the site's media library, or an address where the site can read it",
  { text: "see what is there", command: "cal api GET /wp/v2/media" },
];

/** A picture that the site does not have or can't read: the server only says that the parameter is invalid. */
function explainInvalidImage({ body }: ApiRequest, { code, params }: ServerError): RecordError | undefined {
  if (code !== "rest_invalid_param" || params.join() !== "image" || !isRecord(body)) return undefined;
  const image = sanitizeLine(valueToText(body["image"]));
  return {
    message: /^\d+$/.test(image)
      ? `the site has no picture with the id ${image}`
      : `the site can't use the picture ${JSON.stringify(image)}`,
    hint: imageHint,
  };
}

/** The category or tag that has the name already; WordPress returns its id. */
function explainExistingTerm({ path }: ApiRequest, body: unknown): RecordError | undefined {
  const data = isRecord(body) && body["code"] === "term_exists" ? body["data"] : undefined;
  const id = isRecord(data) ? valueToText(data["term_id"]) : "";
  const resource = parseRecordPath(path)?.resource;
  if (resource === undefined || !/^\d+$/.test(id)) return undefined;
  const { name, singular } = resource;
  return {
    message: `there is a ${singular} of this name already: ${id}`,
    hint: [{ text: "see it", command: `cal ${name} get ${id}` }, `an event gets it with --${singular} ${id}`],
  };
}

function missingRecordError(targets: readonly Resource[], message: string): RecordError {
  const lists = [...new Set(targets.map(({ name }) => `cal ${name} list`))];
  return { message, hint: lists.map((command) => ({ text: "see what is there", command })) };
}

function findLinkedIds({ query, body }: ApiRequest, name: string): readonly string[] {
  const inQuery = query.flatMap(([key, value]) => (key === name || key === `${name}[]` ? value.split(",") : []));
  const inBody = isRecord(body) && body[name] !== undefined ? [body[name]].flat().map(valueToText) : [];
  return [...inQuery, ...inBody];
}

const recordPathPattern = new RegExp(`/(${Object.keys(resources).join("|")})(?:/(\\d+)|/by-slug/([^/]+))?$`);

/** The resource, and the id or decoded slug, of the path of a list or of a record. */
function parseRecordPath(path: string): { resource: Resource; id: string | undefined; slug: string | undefined } | undefined {
  const [, name, id, slug] = recordPathPattern.exec(path) ?? [];
  const resource = Object.values(resources).find((known) => known.name === name);
  return resource && { resource, id, slug: slug === undefined ? undefined : decodeSlug(slug) };
}
