// Check: the login works, and what it allows.
import type { Client } from "../../api/client.ts";
import { isRecord } from "../../api/record.ts";
import { loginAdvice, loginCommand } from "../../auth/parts.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import type { Check, Finding } from "./finding.ts";
import type { Login } from "./login.ts";
import { Unready } from "./unready.ts";

/** Nobody being logged in is a failure only where the site answers nobody else. */
export const access: Check = {
  name: "access",
  run: async ({ login, client, settings }) => {
    const found = await login();
    const known = await settings();
    return found.access === undefined ? visitor(await client(), known) : judged(found, await client(), known);
  },
};

async function visitor(calendar: Client, settings: Settings): Promise<Finding> {
  const advice = loginCommand(settings.profile.value);
  try {
    await calendar.send(oneEvent(settings));
    return { state: "warning", found: "nobody is logged in: only what is public can be read, and nothing written", advice };
  } catch (error) {
    if (!(error instanceof Unready)) throw error;
    return { state: "failure", found: "nobody is logged in, and the site answers nobody else", advice };
  }
}

async function judged({ access: presented, verdict }: Login, calendar: Client, settings: Settings): Promise<Finding> {
  const advice = loginAdvice(settings.profile.value, presented?.source);
  const source = `login of ${presented?.source ?? "nobody"}`;
  switch (verdict?.is) {
    case "refused":
      return {
        state: "failure",
        found: `${source}: the site refuses it (${[verdict.status, verdict.code].filter(Boolean).join(" ")})`,
        advice,
      };
    case "anonymous":
      return {
        state: "failure",
        found: `${source}: the site takes it for a visitor's`,
        advice: `${advice}${settings.server.value === "generic" ? "" : " --method application-password"}`,
      };
    case "valid":
      return rights(`${source}: valid${verdict.identity === undefined ? "" : `, ${verdict.identity}`}`, calendar, settings);
    default:
      return rights(`${source}: accepted, but the site does not tell whose it is`, calendar, settings);
  }
}

/** The role where the site tells one (WordPress), and what the `Allow` header of the events says. */
async function rights(found: string, calendar: Client, settings: Settings): Promise<Finding> {
  const role = await roleOf(calendar);
  const allow = (await calendar.send(oneEvent(settings))).headers["allow"];
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

async function roleOf(calendar: Client): Promise<string | undefined> {
  try {
    const { value } = await calendar.send({ method: "GET", path: "/wp/v2/users/me", query: [["context", "edit"]] });
    const roles = isRecord(value) ? value["roles"] : undefined;
    return Array.isArray(roles) && roles.length > 0 ? roles.map(String).join(" and ") : undefined;
  } catch (error) {
    // Only WordPress has this path.
    if (error instanceof CalError || error instanceof Unready) return undefined;
    throw error;
  }
}

function oneEvent({ namespace }: Settings) {
  return { method: "GET", path: `/${namespace.value}/events`, query: [["per_page", "1"]] } as const;
}
