// Logging in with an application password, as sites that run WordPress offer it ("not shown" in the interface).
import { hostname } from "node:os";
import { discover, type FoundSite } from "../../api/discover.ts";
import { droppedHeaderHints } from "../../api/problems.ts";
import { basicHeader, loginCommand } from "../../auth/credentials.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError, usageError } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { type LoginResult, promptForMissing, readPasswordInput, requireSetting } from "./command.ts";
import { whoAmI } from "./who-am-i.ts";

const promptFields = {
  username: { message: "User name at the site", hidden: false, alternatives: "--username or CAL_USERNAME" },
  password: {
    message: "Application password (spaces are fine)",
    hidden: true,
    alternatives: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE",
  },
} as const;

/** Asks for the password where none is given, and names the page of the site that makes one. */
export async function loginByApplicationPassword({ flags }: Invocation, context: Context, settings: Settings): Promise<LoginResult> {
  const input = await readPasswordInput(flags, context);
  const open = flags["browser"] === true;
  if (input !== undefined && open)
    throw usageError("a password is given, so there is nothing to open the browser for", "leave --browser out");
  if (input === undefined && (await findInteractiveUser(context)) !== undefined) await showAuthorizationPage(open, context, settings);
  const answers = await promptForMissing({ username: settings.username?.value, password: input }, promptFields, context);
  const { username } = answers;
  const password = answers.password.trim();
  return {
    login: { method: "application-password", username, identity: await verifyLogin(username, password, context, settings) },
    secrets: { password },
    profileSettings: { username },
  };
}

/** The page can't send the password here: sites redirect to https addresses only, and this machine has none. */
async function showAuthorizationPage(open: boolean, context: Context, settings: Settings): Promise<void> {
  const page = (await discoverSite(context, settings)).authorization_page;
  if (page === undefined) {
    await context.notice(
      "this site names no page for application passwords; they are made in its dashboard, under Users > Profile > Application Passwords",
    );
    return;
  }
  const url = new URL(page);
  // A site refuses a second password of the same name. The time shows which one may be revoked.
  const time = new Date(context.clock.now()).toISOString().slice(0, 19).replace("T", " ");
  url.searchParams.set("app_name", `cal on ${hostname()}, ${time} UTC`);
  await context.say(`an application password is made on this page of the site, or in its dashboard under Users > Profile:\n  ${url.href}`);
  if (open && !(await context.openBrowser(url.href))) await context.notice("no browser could be started here");
}

async function discoverSite(context: Context, settings: Settings): Promise<FoundSite> {
  const address = requireSetting(settings, "base_url");
  return discover({ send: await context.transport(), address, namespace: settings.namespace.value });
}

const createPasswordHint = "make one in the site's dashboard, under Users > Profile > Application Passwords";

/** The name of the user at the site. Throws `unauthenticated` where the site does not accept the login. */
async function verifyLogin(username: string, password: string, context: Context, settings: Settings): Promise<string> {
  const check = await whoAmI(await context.transport(), settings, basicHeader(username, password, "login"));
  switch (check.result) {
    case "valid":
      return check.identity ?? username;
    case "not provable":
      await context.warn("the site does not tell whether this login is valid, so it was kept untested");
      return username;
    case "anonymous":
      throw await anonymousLoginError(context, settings);
    case "refused": {
      const { status, code } = check;
      throw new CalError("unauthenticated", formatRejection(status, code), {
        status,
        ...(code !== undefined && { code }),
        hint: {
          text: isUnknownUser(code) ? "check the user name, or give the e-mail address of the user; then" : `${createPasswordHint}, then`,
          command: loginCommand(settings.profile.value),
        },
      });
    }
  }
}

function isUnknownUser(code: string | undefined): boolean {
  return code === "invalid_username" || code === "invalid_email";
}

function formatRejection(status: number, code: string | undefined): string {
  if (isUnknownUser(code)) return "the site knows no such user name";
  if (code === "incorrect_password")
    return "the site refused the application password; the password of the normal login does not work here";
  return `the site refused the login (status ${status})`;
}

/** Some WordPress sites report no error for a wrong password, nor for a missing header. Their index shows whether they accept application passwords. */
async function anonymousLoginError(context: Context, settings: Settings): Promise<CalError> {
  const site = await discoverSite(context, settings).catch(() => undefined);
  if (site !== undefined && site.namespaces.length > 0 && site.authorization_page === undefined) {
    return new CalError("unauthenticated", "the site takes no application passwords, and took the login for an anonymous visitor", {
      code: "no-application-passwords",
      hint: "they need https, and may be switched off: ask the administrator of the site",
    });
  }
  return new CalError("unauthenticated", "the site took the request for a visitor's, although a login was sent", {
    code: "anonymous",
    hint: [...droppedHeaderHints, `or the user name or the application password is wrong: ${createPasswordHint}`],
  });
}
