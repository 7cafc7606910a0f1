// The checks of `cal doctor` that look at the site: connection, clock, interface, page size, time zone, login, documentation.

import { parseSiteIndex } from "../../api/discover.ts";
import { droppedHeaderHints } from "../../api/problems.ts";
import { parsePage } from "../../api/reply.ts";
import { buildListRequest, type Client } from "../../api/request.ts";
import { loginCommand, loginHint } from "../../auth/credentials.ts";
import { formatCalCommand } from "../../config/config-file.ts";
import type { Settings } from "../../config/settings.ts";
import { type DataRecord, isRecord } from "../../data-record.ts";
import { CalError, formatHint, formatHints } from "../../errors.ts";
import { isLoopback } from "../../http/transport.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { namespaces, resources } from "../../model/resources.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import { unbreakable } from "../../text.ts";
import { type Check, CheckSkippedError, type Finding } from "./check.ts";

/** The site answers, over a connection that can be trusted. Where it does not answer, the error of the transport is the result. */
export const connectionCheck: Check = {
  name: "connection",
  run: async ({ restRoot, settings }) => {
    const [{ url, status, headers, requestedAt, respondedAt }, known] = [await restRoot(), await settings()];
    const { origin, protocol, hostname } = new URL(url);
    const found = `${origin} answers ${status} in ${respondedAt - requestedAt} ms`;
    if (status >= 500) return { state: "failure", found, advice: "the server has a problem: try again later, or ask its administrator" };
    const { location } = headers;
    if (status >= 300 && status < 400 && location !== undefined) {
      const target = URL.canParse(location, url) ? new URL(location, url).origin : "somewhere else";
      // Text of a server may be part of a command to paste only where it is a plain address.
      const address = /^https?:\/\/[\w.:[\]-]+$/.test(target) ? target : "<site-url>";
      return { state: "warning", found: `${found} and redirects to ${target}`, advice: `${formatCalCommand(known)} init ${address}` };
    }
    if (protocol === "https:" && !known.insecure.value) return { state: "ok", found: `${found}, with a certificate that is trusted` };
    if (protocol === "https:") {
      const advice = "leave --insecure out; for an authority of your own: --ca-file ca.pem";
      return { state: "warning", found: `${found}; its certificate was not checked`, advice };
    }
    if (isLoopback(hostname)) return { state: "ok", found: `${found}, on this machine` };
    const advice = `${formatCalCommand(known)} config set base_url ${known.base_url?.value.replace("http:", "https:")}`;
    return { state: "warning", found: `${found} over plain http: logins can be read on the network`, advice };
  },
};

/** From these differences on, in seconds, tokens may seem expired or not yet valid. */
const warningSkew = 30;
const failureSkew = 300;

const clockSyncCommands: Readonly<Record<string, string>> = {
  linux: "sudo timedatectl set-ntp true",
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
};

/** The clocks of this machine and of the server agree; the lifetime of tokens depends on both. */
export const clockCheck: Check = {
  name: "clock",
  run: async ({ requireRestRoot, settings, context }) => {
    const { headers, requestedAt, respondedAt } = await requireRestRoot();
    if ((await settings()).sandbox.value) throw new CheckSkippedError("the sandbox has the same clock");
    const date = Date.parse(headers["date"] ?? "");
    if (Number.isNaN(date)) throw new CheckSkippedError("the server sends no date");
    // `date` is in whole seconds, and a cache sends the age of its answer.
    const age = Number(headers["age"] ?? 0);
    const skew = Math.round(date / 1000 + (Number.isFinite(age) ? age : 0) - (requestedAt + respondedAt) / 2000);
    const size = Math.abs(skew);
    const found = size <= 1 ? "the same as the server's" : `${size} s ${skew > 0 ? "behind" : "ahead of"} the server's`;
    if (size < warningSkew) return { state: "ok", found };
    return {
      state: size < failureSkew ? "warning" : "failure",
      found: `${found}: tokens seem to expire too ${skew > 0 ? "late" : "early"}`,
      advice: `${clockSyncCommands[context.machine.platform] ?? "set this machine's clock"}; or it is the server's clock that is wrong`,
    };
  },
};

/** The version of the interface (section 9). */
const supportedVersion = 1;

/** The namespace exists, in the supported version, on the configured kind of server. Where it does not exist, the error of the client is the result. */
export const interfaceCheck: Check = {
  name: "interface",
  run: async ({ client, settings }) => {
    const [calendar, known] = [await client(), await settings()];
    const { namespace, server } = known;
    const { value } = await calendar.send({ method: "GET", path: `/${namespace.value}`, query: [] });
    const routes = isRecord(value) && isRecord(value["routes"]) ? `, ${Object.keys(value["routes"]).length} routes` : "";
    const version = /(?:^|\/)v(\d+)$/.exec(namespace.value)?.[1];
    const found = `${namespace.value}${version === undefined ? "" : `, version ${version}`}${routes}; server ${server.value} (${server.origin})`;
    if (version !== undefined && Number(version) !== supportedVersion) {
      return {
        state: "warning",
        found: `${found}; this program speaks version ${supportedVersion}`,
        advice: `${unbreakable("cal root --json")} shows the routes; ${formatCalCommand(known)} config set namespace <namespace>`,
      };
    }
    if (namespace.value === namespaces.theEventsCalendar && server.value !== "the-events-calendar") {
      const advice = `${formatCalCommand(known)} config set server the-events-calendar`;
      return { state: "failure", found: `${found}; on this kind of site updates would lose fields`, advice };
    }
    return { state: "ok", found };
  },
};

/** The page sizes to try, until the server accepts one. */
const pageSizes = [100, 50, 10] as const;

/** How many records the server gives in one page at most, measured with events of any date. */
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
      advice: unbreakable("cal api GET events --query per_page=1"),
    };
  },
};

/** Undefined where the server refuses pages of this size. */
async function tryPageSize(calendar: Client, settings: Settings, size: number): Promise<Finding | undefined> {
  const { namespace, server, per_page } = settings;
  const filters = { ...serverProfiles[server.value].unfilteredParameters.events, per_page: size };
  try {
    const reply = await calendar.send(buildListRequest(namespace.value, resources.events, filters));
    const { records, total } = parsePage(resources.events, reply);
    const count = records.length;
    if (count < size && (total === undefined || total <= count))
      return { state: "ok", found: `not known: all ${count} events fit in one page of ${size}` };
    if (count >= size && size === pageSizes[0]) return { state: "ok", found: `${size} or more` };
    const limit = Math.min(count, size);
    const found = count >= size ? `${size}; more are refused` : `${count}; more are cut off`;
    if (per_page === undefined || per_page.value <= limit) return { state: "ok", found };
    return {
      state: "warning",
      found: `${found}; per_page is ${per_page.value} (${per_page.origin})`,
      advice: `${formatCalCommand(settings)} config set per_page ${limit}`,
    };
  } catch (error) {
    if (error instanceof CalError && error.kind === "rejected") return undefined;
    throw error;
  }
}

/** The site's time zone, from the index of its REST root ("not shown" in the interface), and the one in which dates are read and shown. */
export const timeZoneCheck: Check = {
  name: "time-zone",
  run: async ({ requireRestRoot, settings }) => {
    const { json } = await requireRestRoot();
    const known = await settings();
    const { tz, site_tz, sandbox } = known;
    const zone = parseSiteIndex(json)?.site_tz;
    // It becomes part of a command to paste, so it must be nothing but a zone.
    if (zone === undefined || !/^[\w+:/-]+$/.test(zone))
      throw new CheckSkippedError(`the site does not say its time zone; dates are read in ${tz.value} (${tz.origin})`);
    const advice = `${formatCalCommand(known)} config set site_tz ${zone}`;
    const found = `the site is in ${zone}; dates are read and shown in ${tz.value} (${tz.origin})`;
    if (site_tz !== undefined && !isSameZone(site_tz.value, zone))
      return { state: "warning", found: `${found}; in the profile the site is in ${site_tz.value}`, advice };
    // A zone from a setting, and that of the sandbox, may differ on purpose.
    if (tz.origin !== "system" || sandbox.value || isSameZone(tz.value, zone)) return { state: "ok", found };
    return { state: "warning", found, advice };
  },
};

/** Zones have old and new names. */
function isSameZone(...zones: readonly [string, string]): boolean {
  const [one, other] = zones.map((timeZone) => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
    } catch {
      return timeZone;
    }
  });
  return one === other;
}

/** The login works, and what it allows. */
export const accessCheck: Check = {
  name: "access",
  run: async ({ login, client, settings }) => {
    const { authHeader, identityCheck } = await login();
    const [known, calendar] = [await settings(), await client()];
    const profile = known.profile.value;
    if (authHeader === undefined) {
      const advice = loginCommand(profile);
      try {
        await calendar.send(oneEventRequest(known));
        return { state: "warning", found: "nobody is logged in: only what is public can be read, and nothing written", advice };
      } catch (error) {
        if (!(error instanceof CheckSkippedError)) throw error;
        return { state: "failure", found: "nobody is logged in, and the site requires a login", advice };
      }
    }
    const advice = formatHint(loginHint(profile, authHeader.source));
    const source = `login of ${authHeader.source}`;
    switch (identityCheck?.result) {
      case "refused": {
        const answer = [identityCheck.status, identityCheck.code].filter(Boolean).join(" ");
        return { state: "failure", found: `${source}: the site refuses it (${answer})`, advice };
      }
      case "anonymous": {
        const method = known.server.value === "generic" ? "" : " --method application-password";
        return {
          state: "failure",
          found: `${source}: the site takes it for a visitor's`,
          advice: `${formatHints(droppedHeaderHints, "; ")}; or the login is wrong: ${advice}${method}`,
        };
      }
      case "valid":
        return checkPermissions(`${source}: valid${identityCheck.identity ? `, ${identityCheck.identity}` : ""}`, calendar, known);
      default:
        return checkPermissions(`${source}: accepted, but the site does not say whose it is`, calendar, known);
    }
  },
};

/** The role where the site tells one (WordPress), and what the `Allow` header of the events says. */
async function checkPermissions(login: string, calendar: Client, settings: Settings): Promise<Finding> {
  const role = await fetchRole(calendar);
  const { allow } = (await calendar.send(oneEventRequest(settings))).headers;
  const found = [login, ...(role === undefined ? [] : [`role ${role}`]), ...(allow === undefined ? [] : [`events allow ${allow}`])].join(
    ", ",
  );
  if (allow === undefined || /\bPOST\b/i.test(allow) || settings.read_only.value) return { state: "ok", found };
  return {
    state: "warning",
    found: `${found}: this user may only read`,
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

/** Compares what the server documents of itself ({ns}/doc, section 4.1) with the model. A server without documentation works all the same, so nothing here is a failure. */
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

/** What is missing in a document, and what it has beyond the model. */
export function compareDocumentation(document: unknown): Finding {
  const missing: string[] = [];
  const extra: string[] = [];
  let known = 0;
  for (const resource of Object.values(resources)) {
    const documented = findDocumentedNames(resource, document);
    if (documented === undefined)
      return { state: "warning", found: "the answer is not an OpenAPI document", advice: unbreakable("cal doc --json") };
    for (const kind of ["filters", "fields"] as const) {
      const table: readonly Field[] = resource[kind];
      const names = documented[kind];
      const describe = (some: readonly string[]) => (some.length === 0 ? [] : [`${kind} of ${resource.name}: ${some.join(", ")}`]);
      known += table.filter(({ name }) => names?.has(name) === true).length;
      const lacking = table.filter(({ name, nonStandard }) => nonStandard !== true && names?.has(name) !== true);
      missing.push(...(names === undefined ? [`all ${kind} of ${resource.name}`] : describe(lacking.map(({ name }) => name))));
      // A record's id is no field, wherever a document lists it.
      extra.push(...describe([...(names ?? [])].filter((name) => name !== "id" && !table.some((field) => field.name === name))));
    }
  }
  const found = [
    `${known} filters and fields as in the table`,
    ...missing.map((names) => `missing ${names}`),
    ...extra.map((names) => `extra ${names}`),
  ].join("; ");
  if (missing.length > 0)
    return { state: "warning", found, advice: `the server may refuse or ignore what is missing: ${unbreakable("cal doc --json")}` };
  if (extra.length === 0) return { state: "ok", found };
  return {
    state: "ok",
    found,
    advice: `what is extra can be sent too: ${unbreakable("cal api GET events --query <name>=<value>")}, or --set <name>=<value>`,
  };
}

/** In no order; undefined where the document has no such route. */
interface DocumentedNames {
  readonly filters: ReadonlySet<string> | undefined;
  readonly fields: ReadonlySet<string> | undefined;
}

/**
 * The names of a resource's filters and fields in an OpenAPI or Swagger document; undefined where it is none. Real documents have the fields
 * at `/{name}/{id}`, or in parameters instead of a body.
 */
export function findDocumentedNames(resource: Resource, document: unknown): DocumentedNames | undefined {
  const paths = isRecord(document) ? document["paths"] : undefined;
  if (!isRecord(document) || !isRecord(paths)) return undefined;
  const operations = (pattern: RegExp, methods: readonly string[]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      pattern.test(path) && isRecord(item) ? methods.map((method) => item[method]).filter(isRecord) : [],
    );
  const collection = new RegExp(`(?:^|/)${resource.name}/?$`);
  const record = new RegExp(`(?:^|/)${resource.name}/\\{[^/]*\\}/?$`);
  const lists = operations(collection, ["get"]);
  const writes = [collection, record].flatMap((pattern) => operations(pattern, ["post", "put", "patch"]));
  const filters = lists.flatMap((operation) => getParameterNames(operation, document));
  const fields = writes.flatMap((operation) => [...getParameterNames(operation, document), ...getBodyNames(operation, document)]);
  return { filters: lists.length === 0 ? undefined : new Set(filters), fields: writes.length === 0 ? undefined : new Set(fields) };
}

/** The parameters except those in the path, headers and cookies. A `body` parameter (Swagger) means the properties of its schema. */
function getParameterNames(operation: DataRecord, document: DataRecord): readonly string[] {
  const list = operation["parameters"];
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const parameter = resolveSchemaRef(item, document);
    const location = parameter["in"];
    if (location === "path" || location === "header" || location === "cookie") return [];
    const properties = getPropertyNames(parameter["schema"], document);
    if (location === "body" && properties.length > 0) return properties;
    return typeof parameter["name"] === "string" ? [parameter["name"].replace(/\[\]$/, "")] : [];
  });
}

function getBodyNames(operation: DataRecord, document: DataRecord): readonly string[] {
  const content = resolveSchemaRef(operation["requestBody"], document)["content"];
  if (!isRecord(content)) return [];
  return Object.values(content).flatMap((media) => (isRecord(media) ? getPropertyNames(media["schema"], document) : []));
}

function getPropertyNames(schema: unknown, document: DataRecord): readonly string[] {
  const { properties } = resolveSchemaRef(schema, document);
  return isRecord(properties) ? Object.keys(properties) : [];
}

/** A part of the document, with one reference of the form `#/a/b` followed. */
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
