// `cal init <site-url>`: finds the calendar of a website and writes a profile for it.
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
import { unbreakable } from "../text.ts";
import { type ConfigContext, type ConfigHandler, requireConfirmation, updateConfig } from "./config.ts";

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

/** Looks at the site without any secret, stores what it found, and answers with it and with the next commands. */
export const init: ConfigHandler = async ({ args: [address = ""] }, context) => {
  const typed = parseProfileFlags({ namespace: context.env["CAL_NAMESPACE"] || undefined, ...context.globals });
  const data = await (await context.configFile()).read();
  const name = validateProfileName(resolveProfileName(context, data).value);
  const site = await discoverCalendar(context, address, typed);
  const { base_url, namespace, server, site_tz } = site;
  const oldUrl = findProfile(data, name)?.["base_url"];
  if (oldUrl !== undefined && oldUrl !== base_url) {
    await context.notice(`profile "${name}" is for ${String(oldUrl)}; another name keeps it: ${unbreakable("cal init -p <name> ...")}`);
    await requireConfirmation(context, `Make "${name}" the profile of ${base_url} instead?`);
  }
  let written = data;
  await updateConfig(context, (newest) => {
    const old = findProfile(newest, name) ?? {};
    // A login belongs to its site, so only preferences are kept for another site.
    const retained = old["base_url"] === undefined || old["base_url"] === base_url ? old : preferencesOf(old);
    written = withProfile(newest, name, {
      ...retained,
      ...typed,
      base_url,
      namespace,
      server,
      ...(site_tz === undefined ? {} : { site_tz }),
      ...(server === "the-events-calendar" ? { auth_method: "application-password" } : {}),
    });
    return written;
  });
  const all = Object.entries<unknown>({ profile: name, ...site });
  const record = Object.fromEntries(siteFields.flatMap((field) => all.filter(([key]) => key === field)));
  const columns = Object.keys(record).map((path): Column => ({ header: path.toUpperCase(), path, kind: "text", priority: 1 }));
  const nextStep = await formatNextSteps(context, name, written, base_url);
  return { kind: "record", columns, fieldNames: siteFields, record, nextStep };
};

/** The site, without a time zone that this machine does not know. */
async function discoverCalendar(context: ConfigContext, address: string, { namespace }: Profile): Promise<FoundSite> {
  const send = await context.transport();
  const { site_tz, ...site } = await discover({ send, address, ...(typeof namespace === "string" ? { namespace } : {}) });
  for (const warning of site.warnings) await context.warn(warning);
  const zone = findSettingDefinition("site_tz");
  if (site_tz === undefined || zone === undefined) return site;
  if ("value" in parseSettingValue(zone, site_tz)) return { ...site, site_tz };
  await context.warn(`the site's time zone is not known here and was left out: ${site_tz}`);
  return site;
}

async function formatNextSteps(context: ConfigContext, name: string, data: ConfigData, baseUrl: string): Promise<string> {
  const isCurrent = data.current === name;
  const cal = isCurrent ? "cal" : `cal -p ${name}`;
  const inSandbox = (await context.settings()).sandbox.value;
  // Where the logins can't be read, the command that needs a login reports that.
  const login = await (await context.credentialStore()).findLogin(name).catch(() => undefined);
  const isLoggedIn = login !== undefined && login.base_origin === parseOrigin(baseUrl);
  return [
    "next:",
    ...(inSandbox ? ["  unset CAL_SANDBOX"] : []),
    ...(isCurrent ? [] : [`  cal profile use ${name}`]),
    `  ${cal} events list`,
    ...(isLoggedIn ? [] : formatLoginSteps(cal, findProfile(data, name) ?? {})),
  ].join("\n");
}

/** What a login needs depends on the site. */
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
    `Both come from the administrator of the authentication service; what they are: ${unbreakable("cal help auth")}`,
  ];
}
