// Logging in with an application password, as sites that run WordPress offer it ("not shown" in the interface).

import { hostname } from "node:os";
import { discover, type FoundSite } from "../../api/discover/discover.ts";
import { loginCommand } from "../../auth/parts.ts";
import { presentPassword } from "../../auth/presenting.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError, usage } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { personOf } from "../person.ts";
import { answered, passwordGiven } from "./answers.ts";
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
  if (given === undefined && (await personOf(context)) !== undefined) await showPage(open, context, settings);
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
  address.searchParams.set("app_name", appName(context));
  await context.say(
    `an application password is made on this page of the site, or in its dashboard under Users > Profile:\n  ${address.href}`,
  );
  if (open) await openIn(context, address.href);
}

/** A site refuses a second password of the same name, and the time tells which one may be revoked. */
function appName({ clock }: AuthContext): string {
  return `cal on ${hostname()}, ${new Date(clock.now()).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

async function authorizationPage(context: AuthContext, settings: Settings): Promise<string | undefined> {
  return (await found(context, settings)).authorization_page;
}

async function found(context: AuthContext, settings: Settings): Promise<FoundSite> {
  return discover({
    send: await context.transport(),
    address: needed(settings, "base_url"),
    ...(settings.namespace && { namespace: settings.namespace.value }),
  });
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
      throw await takenForNobody(context, settings);
    case "refused":
      throw new CalError("unauthenticated", refusedText(verdict.status, verdict.code), {
        status: verdict.status,
        ...(verdict.code === undefined ? {} : { code: verdict.code }),
        hint: `${makeOne}, then: ${loginCommand(settings.profile.value)}`,
      });
  }
}

const makeOne = "make one in the site's dashboard, under Users > Profile > Application Passwords";

/** Some WordPress sites call a wrong password no error: nothing tells it from a header that never arrived. Its index tells where there are none at all. */
async function takenForNobody(context: AuthContext, settings: Settings): Promise<CalError> {
  const site = await found(context, settings).catch(() => undefined);
  if (site !== undefined && site.namespaces.length > 0 && site.authorization_page === undefined) {
    return new CalError("unauthenticated", "the site takes no application passwords, and took the login for an anonymous visitor", {
      code: "no-application-passwords",
      hint: "they need https, and may be switched off: ask who runs the site",
    });
  }
  return new CalError(
    "unauthenticated",
    "the site took the login for an anonymous visitor: the user name or the application password is wrong, or its web server drops the Authorization header",
    {
      code: "anonymous",
      hint: `${makeOne}; if that fails too, ask its host to pass the header on to PHP (Apache: CGIPassAuth On; nginx: fastcgi_param HTTP_AUTHORIZATION $http_authorization)`,
    },
  );
}

function refusedText(status: number, code: string | undefined): string {
  if (code === "invalid_username" || code === "invalid_email") return "the site knows no such user name";
  if (code === "incorrect_password")
    return "the site refused the application password; the password of the normal login does not work here";
  return `the site refused the login (status ${status})`;
}
