// Logging in with an application password, as sites that run WordPress offer it ("not shown" in the interface).

import { hostname } from "node:os";
import { discover } from "../../api/discover.ts";
import { loginCommand } from "../../auth/parts.ts";
import { presentPassword } from "../../auth/presenting.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError, usage } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { answered, passwordGiven, promptIfAny } from "./answers.ts";
import { type AuthContext, needed } from "./auth-context.ts";
import type { Obtained } from "./obtained.ts";
import { warnOfPlainHttp } from "./password-login.ts";
import { openIn } from "./waiting.ts";
import { whoAmI } from "./whoami.ts";

const wanted = {
  username: { message: "User name at the site", hidden: false, otherwise: "--username or CAL_USERNAME" },
  password: {
    message: "Application password (spaces are fine)",
    hidden: true,
    otherwise: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE",
  },
} as const;

/** Takes the password from where it was given, else asks for it beside the page that makes one, and tries it before it is kept. */
export async function loginByApplicationPassword(invocation: Invocation, context: AuthContext, settings: Settings): Promise<Obtained> {
  await warnOfPlainHttp(context, needed(settings, "base_url"));
  const given = await passwordGiven(invocation, context);
  const open = invocation.flags["browser"] === true;
  if (given !== undefined && open) throw usage("a password is given, so there is nothing to open the browser for", "leave --browser out");
  if (given === undefined && (await promptIfAny(context)) !== undefined) await showPage(open, context, settings);
  const { username, password } = await answered({ username: settings.username?.value, password: given }, wanted, context);
  const identity = await proven(context, settings, username, password.trim());
  return {
    login: { method: "application-password", username, identity },
    secrets: { password: password.trim() },
    doubtful: false,
    remember: { username },
  };
}

/** Names the page of the site that makes one. It is not asked to send it here: sites hand passwords to https addresses only, and this machine has none. */
async function showPage(open: boolean, context: AuthContext, settings: Settings): Promise<void> {
  const page = await authorizationPage(context, settings);
  if (page === undefined) {
    await context.notice(
      "this site names no page for application passwords; they are made in its dashboard, under Users > Profile > Application Passwords",
    );
    return;
  }
  const address = new URL(page);
  address.searchParams.set("app_name", `cal on ${hostname()}`);
  await context.say(
    `an application password is made on this page of the site, or in its dashboard under Users > Profile:\n  ${address.href}`,
  );
  if (open) await openIn(context, address.href);
}

async function authorizationPage(context: AuthContext, settings: Settings): Promise<string | undefined> {
  const site = await discover({
    send: await context.transport(),
    address: needed(settings, "base_url"),
    ...(settings.namespace && { namespace: settings.namespace.value }),
  });
  return site.authorization_page;
}

/** The name that the site knows the user by. Throws `unauthenticated` where it does not let them in, with the reason as far as it can be told. */
async function proven(context: AuthContext, settings: Settings, username: string, password: string): Promise<string> {
  const verdict = await whoAmI(await context.transport(), settings, presentPassword(username, password, "login"));
  switch (verdict.is) {
    case "valid":
      return verdict.identity ?? username;
    case "not provable":
      await context.warn("the site does not tell whether this login is valid, so it was kept untested");
      return username;
    case "anonymous":
      throw new CalError(
        "unauthenticated",
        "the site took the login for an anonymous visitor: its web server drops the Authorization header",
        {
          code: "header-dropped",
          hint: "ask its host to pass the header on to PHP (Apache: CGIPassAuth On; nginx: fastcgi_param HTTP_AUTHORIZATION $http_authorization)",
        },
      );
    case "refused":
      throw new CalError("unauthenticated", refusedText(verdict.status, verdict.code), {
        status: verdict.status,
        ...(verdict.code === undefined ? {} : { code: verdict.code }),
        hint: `make one in the site's dashboard, under Users > Profile > Application Passwords, then: ${loginCommand(settings.profile.value)}`,
      });
  }
}

function refusedText(status: number, code: string | undefined): string {
  if (code === "invalid_username" || code === "invalid_email") return "the site knows no such user name";
  if (code === "incorrect_password")
    return "the site refused the application password; the password of the normal login does not work here";
  return `the site refused the login (status ${status})`;
}
