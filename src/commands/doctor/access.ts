// Check: the login works, and what it allows.
import type { Client } from "../../api/client.ts";
import { isRecord } from "../../api/record.ts";
import { loginCommand, loginHint } from "../../auth/parts.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import type { Check, Finding } from "./finding.ts";
import type { CheckedLogin } from "./login.ts";
import { CheckSkippedError } from "./unready.ts";

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
