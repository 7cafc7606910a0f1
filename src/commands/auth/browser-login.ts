// Logging in by the browser UI flow (section 4.3 of the interface).
import { startCallbackServer } from "../../auth/browser/callback-server.ts";
import { type CallbackToken, defaultRedirectUrl, parseCallbackToken, parseLoopbackUrl, uiLoginUrl } from "../../auth/browser/redirect.ts";
import { loginCommand, parseTokenClaims } from "../../auth/credentials.ts";
import { bearerHeader } from "../../auth/password.ts";
import type { Settings } from "../../config/settings.ts";
import { CalError } from "../../errors.ts";
import { defaultTokenLifetime } from "../../model/auth.ts";
import type { Invocation } from "../command.ts";
import { type AuthContext, type LoginResult, promptForMissing, requireSetting } from "./command.ts";
import {
  openUrlInBrowser,
  parsePastedToken,
  promptForPastedToken,
  type UiLogin,
  waitForCallbackOrPaste,
  warnOfPlainHttp,
} from "./login-flows.ts";
import { whoAmI } from "./status.ts";

const browserLoginTimeout = 180_000;

const browserPromptFields = {
  clientId: {
    message: "Client id (from the administrator of the authentication service)",
    hidden: false,
    alternatives: "--client-id or CAL_CLIENT_ID",
  },
} as const;

/** Sends the browser to the login page and takes the token that it comes back with. */
export async function loginByBrowser(invocation: Invocation, context: AuthContext, settings: Settings): Promise<LoginResult> {
  const authUrl = requireSetting(settings, "auth_url");
  await warnOfPlainHttp(context, authUrl);
  const { clientId } = await promptForMissing({ clientId: settings.client_id?.value }, browserPromptFields, context);
  const typed = invocation.flags["redirect-url"];
  const redirectUrl = typeof typed === "string" ? typed : (settings.redirect_url?.value ?? defaultRedirectUrl);
  const flow = { authUrl, clientId, redirectUrl, fallbackCommand: loginCommand(settings.profile.value, "--method browser --no-browser") };
  const caught = invocation.flags["browser"] === false ? await promptForPastedToken(context, flow) : await waitForCallback(context, flow);
  const identity = await verifyBrowserToken(context, settings, caught.token);
  return {
    login: {
      method: "browser",
      application: clientId,
      expires_at: context.clock.now() + getTokenLifetime(caught),
      ...(identity === undefined ? {} : { identity }),
    },
    secrets: { "access-token": caught.token },
    needsConfirmation: true,
    profileSettings: { client_id: clientId, ...(redirectUrl === defaultRedirectUrl ? {} : { redirect_url: redirectUrl }) },
  };
}

/** Whose token it is. The site's word counts before the token's own, which nobody has verified. Throws `unauthenticated` where the site refuses it. */
async function verifyBrowserToken(context: AuthContext, settings: Settings, token: string): Promise<string | undefined> {
  const verdict = await whoAmI(await context.transport(), settings, bearerHeader(settings, token, "browser"));
  if (verdict.result === "refused") {
    throw new CalError(
      "unauthenticated",
      `the site refused the token that came from the browser (status ${verdict.status}), so it was not kept`,
      {
        status: verdict.status,
        hint: loginCommand(settings.profile.value, "--method browser"),
      },
    );
  }
  return (verdict.result === "valid" ? verdict.identity : undefined) ?? parseTokenClaims(token).identity;
}

/** Milliseconds. What the token tells of itself counts as a length, because its times are on another clock. */
function getTokenLifetime({ token, expiresIn }: CallbackToken): number {
  if (expiresIn !== undefined) return expiresIn * 1000;
  const { expiresAt, issuedAt } = parseTokenClaims(token);
  const length = expiresAt === undefined || issuedAt === undefined ? 0 : expiresAt - issuedAt;
  return length > 0 ? length : defaultTokenLifetime * 1000;
}

async function waitForCallback(context: AuthContext, { authUrl, clientId, redirectUrl, fallbackCommand }: UiLogin): Promise<CallbackToken> {
  const url = parseLoopbackUrl(redirectUrl);
  const loginUrl = uiLoginUrl(authUrl, clientId, url.href);
  const catcher = await startCallbackServer({
    url,
    loginUrl,
    parse: parseCallbackToken,
    timeout: browserLoginTimeout,
    fallbackCommand,
    createTimeoutError: () => loginTimeoutError(url.href, fallbackCommand),
  });
  try {
    await checkClientRegistration(context, loginUrl, url.href);
    await showStartUrl(context, catcher.startUrl, url.port, fallbackCommand);
    return await waitForCallbackOrPaste(
      catcher,
      { message: "Waiting; or paste the address that the browser ended at", parse: parsePastedToken },
      context,
    );
  } finally {
    await catcher.close();
  }
}

/** Prints the address before anything opens: a browser may not start, or be the wrong one. */
async function showStartUrl(context: AuthContext, startUrl: string, port: number, pasting: string): Promise<void> {
  await context.say(`Log in with your browser. If it does not open by itself, open this address in it:\n  ${startUrl}`);
  if (context.env["SSH_CONNECTION"]) {
    await context.notice(`over SSH the browser is elsewhere: connect with  ssh -L ${port}:127.0.0.1:${port} <this machine>`);
  }
  await openUrlInBrowser(context, startUrl);
  await context.notice(`cal waits 3 minutes for the login. Ctrl-C ends that; without a browser here: ${pasting}`);
}

/** A service that refuses the application or its redirect URL says so to everybody, so it is asked before the browser is. */
async function checkClientRegistration(context: AuthContext, loginUrl: string, redirectUrl: string): Promise<void> {
  const transport = await context.transport();
  const { status } = await transport({ method: "GET", url: loginUrl, headers: { accept: "text/html" } });
  if (status === 400 || status === 404 || status === 422) {
    throw new CalError(
      "unauthenticated",
      `the authentication service refused to start the login (status ${status}): is ${redirectUrl} registered for this client id?`,
      {
        code: "not-registered",
        status,
        hint: "have that address registered, or give the one that is: cal auth login --method browser --redirect-url <address>",
      },
    );
  }
}

function loginTimeoutError(redirectUrl: string, pasting: string): CalError {
  return new CalError("unauthenticated", "no login came back from the browser within 3 minutes", {
    code: "timeout",
    hint: `${pasting} takes the address that the browser ends at; if the login page complained of the redirect URL, have ${redirectUrl} registered`,
  });
}
