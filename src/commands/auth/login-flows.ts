// Logging in by the password flow (sections 4.1 and 4.2 of the interface).

import { hostname } from "node:os";
import { discover, type FoundSite } from "../../api/discover.ts";
import type { CallbackServer } from "../../auth/browser/callback-server.ts";
import { type CallbackToken, parseCallbackToken, parsePastedUrl, uiLoginUrl } from "../../auth/browser/redirect.ts";
import { loginCommand } from "../../auth/credentials.ts";
import { basicHeader, type Endpoint, requestTokenByPassword, type TokenResponse } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError, usageError } from "../../errors.ts";
import { isLoopback } from "../../http/transport.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import {
  type AuthContext,
  type LoginResult,
  promptForMissing,
  readClientSecretInput,
  readPasswordInput,
  requireSetting,
} from "./command.ts";
import { whoAmI } from "./status.ts";

const passwordPromptFields = {
  clientId: {
    message: "Client id (from the administrator of the authentication service)",
    hidden: false,
    alternatives: "--client-id or CAL_CLIENT_ID",
  },
  clientSecret: {
    message: "Client secret (it comes with the client id)",
    hidden: true,
    alternatives: "CAL_CLIENT_SECRET, CAL_CLIENT_SECRET_FILE or --client-secret-file",
  },
  username: { message: "User name", hidden: false, alternatives: "--username or CAL_USERNAME" },
  password: { message: "Password", hidden: true, alternatives: "--password-stdin, --password-file, CAL_PASSWORD or CAL_PASSWORD_FILE" },
} as const;

/** Asks for what is missing, then for a token. */
export async function loginByPassword(invocation: Invocation, context: AuthContext, settings: Settings): Promise<LoginResult> {
  const authUrl = requireSetting(settings, "auth_url");
  if (invocation.flags["remember"] === true && invocation.flags["insecure-storage"] === true) {
    throw usageError("--remember keeps the password in the keychain only, so it can't be used with --insecure-storage");
  }
  await warnOfPlainHttp(context, authUrl);
  const known = {
    clientId: settings.client_id?.value,
    clientSecret: await readClientSecretInput(invocation, context),
    username: settings.username?.value,
    password: await readPasswordInput(invocation, context),
  };
  const credentials = await promptForMissing(known, passwordPromptFields, context);
  const endpoint: Endpoint = invocation.flags["endpoint"] === "app" ? "app" : "token";
  const service = { authUrl, transport: await context.transport(), clock: context.clock };
  const grant = await requestTokenByPassword(service, endpoint, credentials);
  const remember = invocation.flags["remember"] === true || (await confirmRememberPassword(invocation, context, grant));
  return {
    login: {
      method: "password",
      endpoint,
      username: credentials.username,
      application: credentials.clientId,
      identity: grant.identity ?? credentials.username,
      ...(grant.identityId === undefined ? {} : { identity_id: grant.identityId }),
      ...(grant.expiresAt === undefined ? {} : { expires_at: grant.expiresAt }),
    },
    secrets: {
      "access-token": grant.accessToken,
      "client-secret": credentials.clientSecret,
      ...(grant.refreshToken === undefined ? {} : { "refresh-token": grant.refreshToken }),
      ...(remember ? { password: credentials.password } : {}),
    },
    needsConfirmation: false,
    profileSettings: { client_id: credentials.clientId, username: credentials.username },
  };
}

/** A session that can't be refreshed ends within the hour: worth one question, where there is somebody to ask. */
async function confirmRememberPassword({ flags }: Invocation, context: AuthContext, grant: TokenResponse): Promise<boolean> {
  if (grant.refreshToken !== undefined || flags["remember"] === false || flags["insecure-storage"] === true) return false;
  const person = await findInteractiveUser(context);
  if (person === undefined) return false;
  return person.confirm(
    "This service gives no refresh token. Keep the password in the keychain too, to log in again without asking?",
    false,
  );
}

/** Passwords in the open can be read by everybody on the way. */
export async function warnOfPlainHttp(context: AuthContext, address: string): Promise<void> {
  const url = new URL(address);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    await context.warn(`${url.origin} is not encrypted: everybody on the way can read the password; use https where the site has it`);
  }
}

// Logging in with an application password, as sites that run WordPress offer it ("not shown" in the interface).

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

// The browser login where no browser can hand its token over: a person pastes the address that it ended at.

const pastedAddressPromptFields = {
  address: {
    message: "Address that the browser ended at (hidden, because the token is part of it)",
    hidden: true,
    alternatives: "a terminal",
  },
} as const;

/** A login on the page of an authentication service. */
export interface UiLogin {
  readonly authUrl: string;
  readonly clientId: string;
  readonly redirectUrl: string;
  /** The command of the same login without listening here. */
  readonly fallbackCommand: string;
}

/** What one pastes is easily not what one thinks, above all where it can't be seen. */
const maxAttempts = 3;

/** Tells the address to log in at, and reads the token out of what is pasted. What was taken is told by its length and its harmless part. */
export async function promptForPastedToken(
  context: AuthContext,
  { authUrl, clientId, redirectUrl, fallbackCommand }: UiLogin,
): Promise<CallbackToken> {
  const loginUrl = uiLoginUrl(authUrl, clientId, redirectUrl);
  await context.say(
    `Open this address in a browser, log in, and copy the address of the page it ends at (that page may fail to load):\n  ${loginUrl}`,
  );
  for (let attempt = 1; ; attempt++) {
    const { address } = await promptForMissing({ address: undefined }, pastedAddressPromptFields, context);
    const returned = parsePastedToken(address);
    const site = parsePastedOrigin(address);
    const many = `the ${address.trim().length} characters that were pasted${site === undefined ? "" : ` (${site})`}`;
    if (returned !== undefined) {
      await context.notice(`took the token from ${many}`);
      return returned;
    }
    const missing = `${many} hold no token: the address must be whole, with all that follows the #`;
    if (attempt === maxAttempts) throw new CalError("unauthenticated", missing, { hint: fallbackCommand });
    await context.warn(missing);
  }
}

/** The token in what was pasted; undefined where there is none. */
export function parsePastedToken(address: string): CallbackToken | undefined {
  return parseCallbackToken(parsePastedUrl(address));
}

/** The site of an address, which alone can't be secret: whatever was copied last may have been pasted. Undefined for what is no address. */
function parsePastedOrigin(pasted: string): string | undefined {
  return /^https?:/i.test(pasted.trim()) && URL.canParse(pasted.trim()) ? new URL(pasted.trim()).origin : undefined;
}

// Waiting for the browser at a terminal.

/** Opens an address, and says so where no browser could be started. */
export async function openUrlInBrowser(context: AuthContext, address: string): Promise<void> {
  if (!(await context.openBrowser(address))) await context.notice("no browser could be started here");
}

/** What a person may paste instead of waiting: the question, and how the answer is read; undefined asks again. */
interface PasteOptions<T> {
  readonly message: string;
  readonly parse: (pasted: string) => T | undefined;
}

/**
 * What the browser hands over, or what is pasted meanwhile. The wait is a hidden question, so that nothing typed shows on the screen.
 * Rejects as the catcher does, and with `interrupted` on Ctrl-C.
 */
export async function waitForCallbackOrPaste<T>({ result }: CallbackServer<T>, paste: PasteOptions<T>, context: AuthContext): Promise<T> {
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined) return result;
  const over = new AbortController();
  const pasted = async (): Promise<T> => {
    for (;;) {
      const value = paste.parse(await prompt.secret(paste.message, over.signal));
      if (value !== undefined) return value;
    }
  };
  const asking = pasted();
  try {
    return await Promise.race([result, asking]);
  } finally {
    over.abort();
    // The terminal is given back before anything else is written.
    await asking.catch(() => undefined);
  }
}
