// cal init <site-url>: finds the calendar of a website and writes a profile for it.
import { discover, type FoundSite } from "../api/discover.ts";
import { parseOrigin } from "../auth/credential-store.ts";
import {
  type ConfigData,
  findProfile,
  type Profile,
  parseProfileFlags,
  preferencesOf,
  resolveProfileName,
  validateProfileName,
  withProfile,
} from "../config/config-file.ts";
import { findSettingDefinition, parseSettingValue } from "../config/settings.ts";
import type { Column } from "../model/resource.ts";
import type { RecordReport } from "../output/report.ts";
import { type ConfigContext, type ConfigHandler, requireConfirmation, updateConfig } from "./config.ts";

/** Looks at the site without any secret, stores what it found, and answers with it and with the next commands. */
export const init: ConfigHandler = async ({ args: [address = ""] }, context) => {
  const typed = parseProfileFlags({ namespace: context.env["CAL_NAMESPACE"] || undefined, ...context.globals });
  const data = await (await context.configFile()).read();
  const name = validateProfileName(resolveProfileName(context, data).value);
  const site = await discoverCalendar(context, address, typed);
  await confirmReplace(context, data, name, site);
  let written = data;
  await updateConfig(context, (newest) => {
    written = withProfile(newest, name, { ...getRetainedSettings(newest, name, site), ...typed, ...createSiteProfile(site) });
    return written;
  });
  const inSandbox = (await context.settings()).sandbox.value;
  const next = formatNextSteps(name, written, { inSandbox, loggedIn: await isLoggedIn(context, name, site) });
  return { ...createSiteReport(name, site), nextStep: next.join("\n") };
};

async function discoverCalendar(context: ConfigContext, address: string, { namespace }: Profile): Promise<FoundSite> {
  const send = await context.transport();
  const { site_tz, ...site } = await discover({ send, address, ...(typeof namespace === "string" ? { namespace } : {}) });
  for (const remark of site.warnings) await context.warn(remark);
  const zone = findSettingDefinition("site_tz");
  if (site_tz === undefined || zone === undefined) return site;
  if ("value" in parseSettingValue(zone, site_tz)) return { ...site, site_tz };
  await context.warn(`the site's time zone is not known here and was left out: ${site_tz}`);
  return site;
}

async function confirmReplace(context: ConfigContext, data: ConfigData, name: string, site: FoundSite): Promise<void> {
  const old = findProfile(data, name)?.["base_url"];
  if (old === undefined || old === site.base_url) return;
  await context.notice(`profile "${name}" is for ${String(old)}; another name keeps it: cal init -p <name> ...`);
  await requireConfirmation(context, `Make "${name}" the profile of ${site.base_url} instead?`);
}

/** What stays of a profile: everything where it is the same site, else only how commands run; a login belongs to its site. */
function getRetainedSettings(data: ConfigData, name: string, site: FoundSite): Profile {
  const old = findProfile(data, name) ?? {};
  if (old["base_url"] === undefined || old["base_url"] === site.base_url) return old;
  return preferencesOf(old);
}

function createSiteProfile({ base_url, namespace, server, site_tz }: FoundSite): Profile {
  return {
    base_url,
    namespace,
    server,
    ...(site_tz === undefined ? {} : { site_tz }),
    ...(server === "the-events-calendar" ? { auth_method: "application-password" } : {}),
  };
}

/** A list of logins that can't be read is told where a login is needed. */
async function isLoggedIn(context: ConfigContext, name: string, site: FoundSite): Promise<boolean> {
  const login = await (await context.credentialStore()).findLogin(name).catch(() => undefined);
  return login !== undefined && login.base_origin === parseOrigin(site.base_url);
}

function formatNextSteps(name: string, data: ConfigData, { inSandbox, loggedIn }: { inSandbox: boolean; loggedIn: boolean }): string[] {
  const cal = data.current === name ? "cal" : `cal -p ${name}`;
  return [
    "next:",
    ...(inSandbox ? ["  unset CAL_SANDBOX"] : []),
    ...(data.current === name ? [] : [`  cal profile use ${name}`]),
    `  ${cal} events list`,
    ...(loggedIn ? [] : formatLoginSteps(cal, findProfile(data, name) ?? {})),
  ];
}

/** What a login needs depends on the site; who gives it is said with it. */
function formatLoginSteps(cal: string, { server, auth_url }: Profile): string[] {
  if (server === "the-events-calendar") {
    return [
      `  ${cal} auth login`,
      "It needs your user name there and an application password: the site's dashboard makes one under Users > Profile > Application Passwords.",
    ];
  }
  if (auth_url !== undefined) return [`  ${cal} auth login`];
  return [
    `  ${cal} auth login --auth-url <address> --client-id <id>`,
    "Both come from the administrator of the authentication service; what they are: cal help auth",
  ];
}

// What cal init found, as a record.

const siteFields = [
  "profile",
  "name",
  "base_url",
  "namespace",
  "server",
  "site_tz",
  "auth_methods",
  "authorization_page",
  "namespaces",
] as const;

/** The profile's name and the site; what the site does not tell is absent. */
function createSiteReport(profile: string, site: FoundSite): RecordReport {
  const told = Object.entries<unknown>({ profile, ...site });
  const record = Object.fromEntries(siteFields.flatMap((field) => told.filter(([name]) => name === field)));
  const columns = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  return { kind: "record", columns, fieldNames: siteFields, record };
}
