// cal init <site-url>: finds the calendar of a website and writes a profile for it.
import { discover, type FoundSite } from "../../api/discover/discover.ts";
import { originOf } from "../../auth/binding.ts";
import type { ConfigData, Profile } from "../../config/data.ts";
import { keyNamed } from "../../config/keys.ts";
import { checkedName, chosenProfile, habitsOf, profileNamed, withProfile } from "../../config/profiles.ts";
import { typedProfile } from "../../config/typed-profile.ts";
import { readValue } from "../../config/values.ts";
import { type ConfigHandler, type ConfigParts, change, consent } from "../config/config-context.ts";
import { siteReport } from "./report.ts";

/** Looks at the site without any secret, stores what it found, and answers with it and with the next commands. */
export const init: ConfigHandler = async ({ args: [address = ""] }, context) => {
  const typed = typedProfile({ namespace: context.env["CAL_NAMESPACE"] || undefined, ...context.globals });
  const data = await (await context.configFile()).read();
  const name = checkedName(chosenProfile(context, data).value);
  const site = await look(context, address, typed);
  await agreeToReplace(context, data, name, site);
  let written = data;
  await change(context, (newest) => {
    written = withProfile(newest, name, { ...kept(newest, name, site), ...typed, ...foundProfile(site) });
    return written;
  });
  const inSandbox = (await context.settings()).sandbox.value;
  const next = nextSteps(name, written, { inSandbox, loggedIn: await isLoggedIn(context, name, site) });
  return { ...siteReport(name, site), next: next.join("\n") };
};

async function look(context: ConfigParts, address: string, { namespace }: Profile): Promise<FoundSite> {
  const send = await context.transport();
  const { site_tz, ...site } = await discover({ send, address, ...(typeof namespace === "string" ? { namespace } : {}) });
  for (const remark of site.remarks) await context.warn(remark);
  const zone = keyNamed("site_tz");
  if (site_tz === undefined || zone === undefined) return site;
  if ("value" in readValue(zone, site_tz)) return { ...site, site_tz };
  await context.warn(`the site's time zone is not known here and was left out: ${site_tz}`);
  return site;
}

async function agreeToReplace(context: ConfigParts, data: ConfigData, name: string, site: FoundSite): Promise<void> {
  const old = profileNamed(data, name)?.["base_url"];
  if (old === undefined || old === site.base_url) return;
  await context.notice(`profile "${name}" is for ${String(old)}; another name keeps it: cal init -p <name> ...`);
  await consent(context, `Make "${name}" the profile of ${site.base_url} instead?`);
}

/** What stays of a profile: everything where it is the same site, else only how commands run; a login belongs to its site. */
function kept(data: ConfigData, name: string, site: FoundSite): Profile {
  const old = profileNamed(data, name) ?? {};
  if (old["base_url"] === undefined || old["base_url"] === site.base_url) return old;
  return habitsOf(old);
}

function foundProfile({ base_url, namespace, server, site_tz }: FoundSite): Profile {
  return {
    base_url,
    namespace,
    server,
    ...(site_tz === undefined ? {} : { site_tz }),
    ...(server === "the-events-calendar" ? { auth_method: "application-password" } : {}),
  };
}

/** A list of logins that can't be read is told where a login is needed. */
async function isLoggedIn(context: ConfigParts, name: string, site: FoundSite): Promise<boolean> {
  const login = await (await context.vault()).login(name).catch(() => undefined);
  return login !== undefined && login.base_origin === originOf(site.base_url);
}

function nextSteps(name: string, data: ConfigData, { inSandbox, loggedIn }: { inSandbox: boolean; loggedIn: boolean }): string[] {
  const cal = data.current === name ? "cal" : `cal -p ${name}`;
  return [
    "next:",
    ...(inSandbox ? ["  unset CAL_SANDBOX"] : []),
    ...(data.current === name ? [] : [`  cal profile use ${name}`]),
    `  ${cal} events list`,
    ...(loggedIn ? [] : loginSteps(cal, profileNamed(data, name) ?? {})),
  ];
}

/** What a login needs depends on the site; who gives it is said with it. */
function loginSteps(cal: string, { server, auth_url }: Profile): string[] {
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
