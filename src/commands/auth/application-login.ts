// Logging in with an application password, as sites that run WordPress offer it ("not shown" in the interface).

import { hostname } from "node:os";
import { discover, type FoundSite } from "../../api/discover/discover.ts";
import { loginCommand } from "../../auth/parts.ts";
import { basicHeader } from "../../auth/presenting.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../person.ts";
import { promptForMissing, readPasswordInput } from "./answers.ts";
import { type AuthContext, requireSetting } from "./auth-context.ts";
import type { LoginResult } from "./obtained.ts";
import { warnOfPlainHttp } from "./password-login.ts";
import { openUrlInBrowser } from "./waiting.ts";
import { whoAmI } from "./whoami.ts";

const applicationPasswordPromptFields = {
  username: { message: "User name at the site", hidden: false, alternatives: "--username or CAL_USERNAME" },
  password: {
    message: "Application password (spaces are fine)",
    hidden: true,
    alternatives: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE",
  },
} as const;

/** Takes the password from where it was given, else asks for it beside the page that makes one, and tries it before it is kept. */
export async function loginByApplicationPassword(invocation: Invocation, context: AuthContext, settings: Settings): Promise<LoginResult> {
  await warnOfPlainHttp(context, requireSetting(settings, "base_url"));
  const given = await readPasswordInput(invocation, context);
  const open = invocation.flags["browser"] === true;
  if (given !== undefined && open)
    throw usageError("a password is given, so there is nothing to open the browser for", "leave --browser out");
  if (given === undefined && (await findInteractiveUser(context)) !== undefined) await showAuthorizationPage(open, context, settings);
  const { username, password } = await promptForMissing(
    { username: settings.username?.value, password: given },
    applicationPasswordPromptFields,
    context,
  );
  const identity = await verifyApplicationPassword(context, settings, username, password.trim());
  return {
    login: { method: "application-password", username, identity },
    secrets: { password: password.trim() },
    needsConfirmation: false,
    profileSettings: { username },
  };
}

/** Names the page of the site that makes one. It is not asked to send it here: sites hand passwords to https addresses only, and this machine has none. */
async function showAuthorizationPage(open: boolean, context: AuthContext, settings: Settings): Promise<void> {
  const page = await findAuthorizationPage(context, settings);
  if (page === undefined) {
    await context.notice(
      "this site names no page for application passwords; they are made in its dashboard, under Users > Profile > Application Passwords",
    );
    return;
  }
  const address = new URL(page);
  address.searchParams.set("app_name", formatAppName(context));
  await context.say(
    `an application password is made on this page of the site, or in its dashboard under Users > Profile:\n  ${address.href}`,
  );
  if (open) await openUrlInBrowser(context, address.href);
}

/** A site refuses a second password of the same name, and the time tells which one may be revoked. */
function formatAppName({ clock }: AuthContext): string {
  return `cal on ${hostname()}, ${new Date(clock.now()).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

async function findAuthorizationPage(context: AuthContext, settings: Settings): Promise<string | undefined> {
  return (await discoverSite(context, settings)).authorization_page;
}

async function discoverSite(context: AuthContext, settings: Settings): Promise<FoundSite> {
  return discover({
    send: await context.transport(),
    address: requireSetting(settings, "base_url"),
    ...(settings.namespace && { namespace: settings.namespace.value }),
  });
}

/** The name that the site knows the user by. Throws `unauthenticated` where it does not let them in, with the reason as far as it can be told. */
async function verifyApplicationPassword(context: AuthContext, settings: Settings, username: string, password: string): Promise<string> {
  const verdict = await whoAmI(await context.transport(), settings, basicHeader(username, password, "login"));
  switch (verdict.result) {
    case "valid":
      return verdict.identity ?? username;
    case "not provable":
      await context.warn("the site does not tell whether this login is valid, so it was kept untested");
      return username;
    case "anonymous":
      throw await anonymousLoginError(context, settings);
    case "refused":
      throw new CalError("unauthenticated", formatRejection(verdict.status, verdict.code), {
        status: verdict.status,
        ...(verdict.code === undefined ? {} : { code: verdict.code }),
        hint: `${createPasswordHint}, then: ${loginCommand(settings.profile.value)}`,
      });
  }
}

const createPasswordHint = "make one in the site's dashboard, under Users > Profile > Application Passwords";

/** Some WordPress sites call a wrong password no error: nothing tells it from a header that never arrived. Its index tells where there are none at all. */
async function anonymousLoginError(context: AuthContext, settings: Settings): Promise<CalError> {
  const site = await discoverSite(context, settings).catch(() => undefined);
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
      hint: `${createPasswordHint}; if that fails too, ask its host to pass the header on to PHP (Apache: CGIPassAuth On; nginx: fastcgi_param HTTP_AUTHORIZATION $http_authorization)`,
    },
  );
}

function formatRejection(status: number, code: string | undefined): string {
  if (code === "invalid_username" || code === "invalid_email") return "the site knows no such user name";
  if (code === "incorrect_password")
    return "the site refused the application password; the password of the normal login does not work here";
  return `the site refused the login (status ${status})`;
}
