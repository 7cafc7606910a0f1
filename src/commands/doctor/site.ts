// Check: the site answers, over a connection that can be trusted.
import { parseSiteIndex } from "../../api/discover.ts";
import { parsePage } from "../../api/reply.ts";
import { buildListRequest, type Client } from "../../api/request.ts";
import { loginCommand, loginHint } from "../../auth/credentials.ts";
import { formatCalCommand } from "../../config/config-file.ts";
import type { Settings } from "../../config/settings.ts";
import { type DataRecord, isRecord } from "../../data-record.ts";
import { CalError } from "../../errors.ts";
import { isLoopback } from "../../http/transport.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { namespaces, resources } from "../../model/resources.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import { type Check, type CheckedLogin, CheckSkippedError, type Finding, type RestRootResponse } from "./check.ts";

/** A site that can't be reached is told by the transport's own error. */
export const connectionCheck: Check = {
  name: "connection",
  run: async ({ restRoot, settings }) => evaluateConnection(await restRoot(), await settings()),
};

function evaluateConnection(front: RestRootResponse, settings: Settings): Finding {
  const { origin, protocol, hostname } = new URL(front.url);
  const found = `${origin} answers ${front.status} in ${front.respondedAt - front.requestedAt} ms`;
  const { location } = front.headers;
  if (front.status >= 500) return { state: "failure", found, advice: "the server is in trouble: try again later, or ask who runs it" };
  if (front.status >= 300 && front.status < 400 && location !== undefined) {
    const to = URL.canParse(location, front.url) ? new URL(location, front.url).origin : "somewhere else";
    // What a server says may be pasted into a shell only where it is nothing but an address.
    const address = /^https?:\/\/[\w.:[\]-]+$/.test(to) ? to : "<site-url>";
    return { state: "warning", found: `${found} and sends on to ${to}`, advice: `${formatCalCommand(settings)} init ${address}` };
  }
  if (protocol === "https:" && !settings.insecure.value) return { state: "ok", found: `${found}, with a certificate that is trusted` };
  if (protocol === "https:") {
    const advice = "leave --insecure out; for an authority of your own: --ca-file ca.pem";
    return { state: "warning", found: `${found}; its certificate was not looked at`, advice };
  }
  if (isLoopback(hostname)) return { state: "ok", found: `${found}, on this machine` };
  const advice = `${formatCalCommand(settings)} config set base_url ${settings.base_url?.value.replace("http:", "https:")}`;
  return { state: "warning", found: `${found} over plain http: logins can be read on the way`, advice };
}

// Check: this machine's clock and the server's agree; tokens live by both.

/** Seconds from which a difference is worth a word, and from which tokens are taken for expired or not yet valid. */
const warningSkewSeconds = 30;
const failureSkewSeconds = 300;

/** The embedded calendar has this machine's clock. */
export const clockCheck: Check = {
  name: "clock",
  run: async ({ requireRestRoot, settings, context }) => {
    const front = await requireRestRoot();
    if ((await settings()).sandbox.value) throw new CheckSkippedError("the embedded calendar has the same clock");
    return evaluateSkew(getClockSkew(front), context.machine.platform);
  },
};

/** Seconds that the server is ahead of us. HTTP tells whole seconds, and a cache tells how old its answer is. */
function getClockSkew({ headers, requestedAt, respondedAt }: RestRootResponse): number {
  const date = Date.parse(headers["date"] ?? "");
  if (Number.isNaN(date)) throw new CheckSkippedError("the server does not tell its time");
  const age = Number(headers["age"] ?? 0);
  const server = date / 1000 + (Number.isFinite(age) ? age : 0);
  return Math.round(server - (requestedAt + respondedAt) / 2000);
}

const clockSyncCommands: Readonly<Record<string, string>> = {
  linux: "sudo timedatectl set-ntp true",
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
};

function evaluateSkew(skew: number, platform: string): Finding {
  const size = Math.abs(skew);
  const found = size <= 1 ? "the same as the server's" : `${size} s ${skew > 0 ? "behind" : "ahead of"} the server's`;
  if (size < warningSkewSeconds) return { state: "ok", found };
  const advice = `${clockSyncCommands[platform] ?? "set this machine's clock"}; or it is the server's clock that is wrong`;
  return {
    state: size < failureSkewSeconds ? "warning" : "failure",
    found: `${found}: tokens seem to expire too ${skew > 0 ? "late" : "early"}`,
    advice,
  };
}

// Check: the namespace is there, in the version that this program speaks, on the kind of server that the settings say.

/** The version of the interface (section 9). */
const supportedVersion = 1;

/** A namespace that is not there is told by the client's own error, with those that are. */
export const interfaceCheck: Check = {
  name: "interface",
  run: async ({ client, settings }) => {
    const calendar = await client();
    const known = await settings();
    const { namespace, server } = known;
    const { value } = await calendar.send({ method: "GET", path: `/${namespace.value}`, query: [] });
    const routes = isRecord(value) && isRecord(value["routes"]) ? `, ${Object.keys(value["routes"]).length} routes` : "";
    const version = /(?:^|\/)v(\d+)$/.exec(namespace.value)?.[1];
    const found = `${namespace.value}${version === undefined ? "" : `, version ${version}`}${routes}; server ${server.value} (${server.origin})`;
    if (version !== undefined && Number(version) !== supportedVersion) {
      return {
        state: "warning",
        found: `${found}; this program speaks version ${supportedVersion}`,
        advice: `cal root --json shows the routes; ${formatCalCommand(known)} config set namespace <namespace>`,
      };
    }
    if (namespace.value === namespaces.theEventsCalendar && server.value !== "the-events-calendar") {
      const advice = `${formatCalCommand(known)} config set server the-events-calendar`;
      return { state: "failure", found: `${found}; on this kind of site updates would lose fields`, advice };
    }
    return { state: "ok", found };
  },
};

// Check: how many records the server gives in one page at most.

/** Asked for in this order until one is not refused. */
const pageSizes = [100, 50, 10] as const;

/** Lists events of any date, to have many. */
export const pageSizeCheck: Check = {
  name: "page-size",
  run: async ({ client, settings }) => {
    const [calendar, known] = [await client(), await settings()];
    for (const size of pageSizes) {
      const finding = await tryPageSize(calendar, known, size);
      if (finding !== undefined) return finding;
    }
    return {
      state: "warning",
      found: `pages of ${pageSizes.join(", ")} records are all refused`,
      advice: "cal api GET events --query per_page=1",
    };
  },
};

/** Undefined where the server refuses pages of this size. */
async function tryPageSize(calendar: Client, settings: Settings, size: number): Promise<Finding | undefined> {
  const filters = { ...serverProfiles[settings.server.value].unfilteredParameters.events, per_page: size };
  try {
    const { records, total } = parsePage(
      resources.events,
      await calendar.send(buildListRequest(settings.namespace.value, resources.events, filters)),
    );
    if (records.length >= size)
      return evaluatePageSize(
        settings,
        size,
        size === pageSizes[0] ? `${size} or more` : `${size}; more are refused`,
        size !== pageSizes[0],
      );
    if (total !== undefined && total > records.length)
      return evaluatePageSize(settings, records.length, `${records.length}; more are cut off`, true);
    return { state: "ok", found: `not known: all ${records.length} events fit in one page of ${size}` };
  } catch (error) {
    if (error instanceof CalError && error.kind === "rejected") return undefined;
    throw error;
  }
}

function evaluatePageSize(settings: Settings, most: number, found: string, certain: boolean): Finding {
  const { per_page } = settings;
  if (!certain || per_page === undefined || per_page.value <= most) return { state: "ok", found };
  return {
    state: "warning",
    found: `${found}; per_page is ${per_page.value} (${per_page.origin})`,
    advice: `${formatCalCommand(settings)} config set per_page ${most}`,
  };
}

// Check: the site's time zone, and the one in which dates are read and shown.

/** The site tells its zone in the index of its REST root ("not shown" in the interface). */
export const timeZoneCheck: Check = {
  name: "time-zone",
  run: async ({ requireRestRoot, settings }) => {
    const { json } = await requireRestRoot();
    const known = await settings();
    const { tz, site_tz, sandbox } = known;
    const zone = parseSiteIndex(json)?.site_tz;
    // It becomes part of a command to be pasted, so that it must be nothing else than a zone.
    if (zone === undefined || !/^[\w+:/-]+$/.test(zone))
      throw new CheckSkippedError(`the site does not tell its zone; dates are read in ${tz.value} (${tz.origin})`);
    const advice = `${formatCalCommand(known)} config set site_tz ${zone}`;
    const found = `the site is in ${zone}; dates are read and shown in ${tz.value} (${tz.origin})`;
    if (site_tz !== undefined && !isSameZone(site_tz.value, zone)) {
      return {
        state: "warning",
        found: `${found}; the profile takes the site to be in ${site_tz.value}`,
        advice,
      };
    }
    // A zone that was chosen, and the embedded calendar's, are as they were meant to be.
    if (tz.origin !== "system" || sandbox.value || isSameZone(tz.value, zone)) return { state: "ok", found };
    return { state: "warning", found, advice };
  },
};

function isSameZone(one: string, other: string): boolean {
  return canonicalizeZone(one) === canonicalizeZone(other);
}

/** Zones have old and new names. */
function canonicalizeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone;
  }
}

// Check: the login works, and what it allows.

/** Nobody being logged in is a failure only where the site answers nobody else. */
export const accessCheck: Check = {
  name: "access",
  run: async ({ login, client, settings }) => {
    const found = await login();
    const known = await settings();
    return found.authHeader === undefined ? checkAnonymousAccess(await client(), known) : evaluateLogin(found, await client(), known);
  },
};

async function checkAnonymousAccess(calendar: Client, settings: Settings): Promise<Finding> {
  const advice = loginCommand(settings.profile.value);
  try {
    await calendar.send(oneEventRequest(settings));
    return { state: "warning", found: "nobody is logged in: only what is public can be read, and nothing written", advice };
  } catch (error) {
    if (!(error instanceof CheckSkippedError)) throw error;
    return { state: "failure", found: "nobody is logged in, and the site answers nobody else", advice };
  }
}

async function evaluateLogin(
  { authHeader: presented, identityCheck }: CheckedLogin,
  calendar: Client,
  settings: Settings,
): Promise<Finding> {
  const advice = loginHint(settings.profile.value, presented?.source);
  const source = `login of ${presented?.source ?? "nobody"}`;
  switch (identityCheck?.result) {
    case "refused":
      return {
        state: "failure",
        found: `${source}: the site refuses it (${[identityCheck.status, identityCheck.code].filter(Boolean).join(" ")})`,
        advice,
      };
    case "anonymous":
      return {
        state: "failure",
        found: `${source}: the site takes it for a visitor's`,
        advice: `${advice}${settings.server.value === "generic" ? "" : " --method application-password"}`,
      };
    case "valid":
      return checkPermissions(
        `${source}: valid${identityCheck.identity === undefined ? "" : `, ${identityCheck.identity}`}`,
        calendar,
        settings,
      );
    default:
      return checkPermissions(`${source}: accepted, but the site does not tell whose it is`, calendar, settings);
  }
}

/** The role where the site tells one (WordPress), and what the `Allow` header of the events says. */
async function checkPermissions(found: string, calendar: Client, settings: Settings): Promise<Finding> {
  const role = await fetchRole(calendar);
  const allow = (await calendar.send(oneEventRequest(settings))).headers["allow"];
  const told = [found, ...(role === undefined ? [] : [`role ${role}`]), ...(allow === undefined ? [] : [`events allow ${allow}`])].join(
    ", ",
  );
  if (allow === undefined || /\bPOST\b/i.test(allow) || settings.read_only.value) return { state: "ok", found: told };
  return {
    state: "warning",
    found: `${told}: this user may only read`,
    advice: `${loginCommand(settings.profile.value)} as another user, or ask for the role of an author or editor`,
  };
}

async function fetchRole(calendar: Client): Promise<string | undefined> {
  try {
    const { value } = await calendar.send({ method: "GET", path: "/wp/v2/users/me", query: [["context", "edit"]] });
    const roles = isRecord(value) ? value["roles"] : undefined;
    return Array.isArray(roles) && roles.length > 0 ? roles.map(String).join(" and ") : undefined;
  } catch (error) {
    // Only WordPress has this path.
    if (error instanceof CalError || error instanceof CheckSkippedError) return undefined;
    throw error;
  }
}

function oneEventRequest({ namespace }: Settings) {
  return { method: "GET", path: `/${namespace.value}/events`, query: [["per_page", "1"]] } as const;
}

// Check: what the server documents of itself (section 4.1, {ns}/doc) against the program's own table.

/** A server without documentation works all the same, so that nothing here is a failure. */
export const documentationCheck: Check = {
  name: "documentation",
  run: async ({ client, settings }) => {
    const calendar = await client();
    const { namespace } = await settings();
    try {
      return compareDocumentation((await calendar.send({ method: "GET", path: `/${namespace.value}/doc`, query: [] })).value);
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      return {
        state: "warning",
        found: `${namespace.value}/doc can't be read: ${error.message}`,
        advice: "nothing needs it; the table of this program is used: cal schema",
      };
    }
  },
};

/** What is missing in a document, and what it has beyond the table. */
export function compareDocumentation(document: unknown): Finding {
  const missing: string[] = [];
  const extra: string[] = [];
  let known = 0;
  for (const resource of Object.values(resources)) {
    const documented = findDocumentedNames(resource, document);
    if (documented === undefined) return { state: "warning", found: "the answer is no OpenAPI document", advice: "cal doc --json" };
    for (const [what, table] of [
      ["filters", resource.filters],
      ["fields", resource.fields],
    ] as const) {
      const names = documented[what];
      const lacking = table.filter(({ name, nonStandard }) => nonStandard !== true && names?.has(name) !== true);
      known += table.filter(({ name }) => names?.has(name) === true).length;
      if (names === undefined) missing.push(`all ${what} of ${resource.name}`);
      else if (lacking.length > 0)
        missing.push(
          formatNames(
            resource.name,
            what,
            lacking.map(({ name }) => name),
          ),
        );
      const more = [...(names ?? [])].filter((name) => !isKnownField(name, table));
      if (more.length > 0) extra.push(formatNames(resource.name, what, more));
    }
  }
  return evaluateDocumentation(known, missing, extra);
}

/** A record's id is no field, wherever a document lists it. */
function isKnownField(name: string, table: readonly Field[]): boolean {
  return name === "id" || table.some((field) => field.name === name);
}

function formatNames(resource: string, what: string, names: readonly string[]): string {
  return `${what} of ${resource}: ${names.join(", ")}`;
}

function evaluateDocumentation(known: number, missing: readonly string[], extra: readonly string[]): Finding {
  const found = [
    `${known} filters and fields as in the table`,
    ...(missing.length === 0 ? [] : [`missing ${missing.join("; missing ")}`]),
    ...(extra.length === 0 ? [] : [`extra ${extra.join("; extra ")}`]),
  ].join("; ");
  if (missing.length > 0) return { state: "warning", found, advice: "the server may refuse or ignore what is missing: cal doc --json" };
  if (extra.length === 0) return { state: "ok", found };
  return {
    state: "ok",
    found,
    advice: "what is extra can be sent too: cal api GET events --query <name>=<value>, or --set <name>=<value>",
  };
}

// What an OpenAPI or Swagger document says of a resource: the names of its list's parameters and of its fields. Read tolerantly.

/** Names in no order; undefined where the document has no such route. */
interface DocumentedNames {
  readonly filters: ReadonlySet<string> | undefined;
  readonly fields: ReadonlySet<string> | undefined;
}

const writeMethods = ["post", "put", "patch"] as const;

/** Reads a document; undefined where it is none. Real ones tell the fields at `/{name}/{id}`, or in parameters instead of a body. */
export function findDocumentedNames(resource: Resource, document: unknown): DocumentedNames | undefined {
  const paths = isRecord(document) ? document["paths"] : undefined;
  if (!isRecord(document) || !isRecord(paths)) return undefined;
  const collection = new RegExp(`(?:^|/)${resource.name}/?$`);
  const record = new RegExp(`(?:^|/)${resource.name}/\\{[^/]*\\}/?$`);
  const at = (pattern: RegExp) => Object.entries(paths).flatMap(([path, item]) => (pattern.test(path) && isRecord(item) ? [item] : []));
  const lists = at(collection).flatMap((item) => getOperations(item, "get"));
  const changes = [...at(collection), ...at(record)].flatMap((item) => writeMethods.flatMap((method) => getOperations(item, method)));
  return {
    filters: lists.length === 0 ? undefined : new Set(lists.flatMap((one) => getParameterNames(one, document))),
    fields:
      changes.length === 0
        ? undefined
        : new Set(changes.flatMap((one) => [...getParameterNames(one, document), ...getBodyNames(one, document)])),
  };
}

function getOperations(item: DataRecord, method: string): readonly DataRecord[] {
  const found = item[method];
  return isRecord(found) ? [found] : [];
}

/** The parameters but for those of the path and of the head; Swagger's `body` parameter stands for its schema's properties. */
function getParameterNames(of: DataRecord, document: DataRecord): readonly string[] {
  const list = of["parameters"];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const parameter = resolveSchemaRef(item, document);
    const place = parameter["in"];
    if (place === "path" || place === "header" || place === "cookie") return [];
    const properties = getPropertyNames(parameter["schema"], document);
    if (place === "body" && properties.length > 0) return properties;
    return typeof parameter["name"] === "string" ? [parameter["name"].replace(/\[\]$/, "")] : [];
  });
}

function getBodyNames(of: DataRecord, document: DataRecord): readonly string[] {
  const content = resolveSchemaRef(of["requestBody"], document)["content"];
  if (!isRecord(content)) return [];
  return Object.values(content).flatMap((media) => (isRecord(media) ? getPropertyNames(media["schema"], document) : []));
}

function getPropertyNames(schema: unknown, document: DataRecord): readonly string[] {
  const { properties } = resolveSchemaRef(schema, document);
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** A part of the document, behind one reference of the form `#/a/b`. */
function resolveSchemaRef(part: unknown, document: DataRecord): DataRecord {
  if (!isRecord(part)) return {};
  const reference = part["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return part;
  const found = reference
    .slice(2)
    .split("/")
    .reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), document);
  return isRecord(found) ? found : {};
}
