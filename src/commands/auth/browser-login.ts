// Logging in with the browser (section 4.3 of the interface): the redirect is received on this machine, or its address is pasted.
import { type CallbackServer, holdCallbackPort, startCallbackServer } from "../../auth/browser/callback-server.ts";
import {
  type CallbackToken,
  defaultRedirectUrl,
  findLoopbackUrl,
  type LoopbackUrl,
  parseCallbackToken,
  parseLoopbackUrl,
  parsePastedUrl,
  uiLoginUrl,
} from "../../auth/browser/redirect.ts";
import { bearerHeader, loginCommand, parseTokenClaims } from "../../auth/credentials.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import { defaultTokenLifetime } from "../../model/auth.ts";
import { unbreakable } from "../../text.ts";
import type { Invocation } from "../command.ts";
import { findInteractiveUser } from "../prompt-user.ts";
import { clientIdField, type LoginResult, promptForMissing, requireSetting } from "./command.ts";
import { whoAmI } from "./who-am-i.ts";

/** Milliseconds; messages say "3 minutes". */
const callbackTimeout = 180_000;

export async function loginByBrowser({ flags }: Invocation, context: Context, settings: Settings): Promise<LoginResult> {
  const authUrl = requireSetting(settings, "auth_url");
  const { clientId } = await promptForMissing({ clientId: settings.client_id?.value }, { clientId: clientIdField }, context);
  const flag = flags["redirect-url"];
  const redirectUrl = typeof flag === "string" ? flag : (settings.redirect_url?.value ?? defaultRedirectUrl);
  const commands = {
    paste: loginCommand(settings.profile.value, "--method browser --no-browser"),
    otherUrl: loginCommand(settings.profile.value, "--method browser --redirect-url <address>"),
  };
  const getLoginUrl = (url?: LoopbackUrl) => uiLoginUrl(authUrl, clientId, url?.href ?? redirectUrl);
  let callback: CallbackToken;
  if (flags["browser"] === false) {
    const url = findLoopbackUrl(redirectUrl);
    callback = await promptWithHeldPort(url, getLoginUrl(url), commands, context);
  } else {
    const url = parseLoopbackUrl(redirectUrl);
    callback = await waitForCallback(url, getLoginUrl(url), commands, context);
  }
  const identity = await verifyToken(callback.token, context, settings);
  const expires_at = context.clock.now() + getTokenLifetime(callback);
  return {
    login: { method: "browser", application: clientId, expires_at, identity },
    secrets: { "access-token": callback.token },
    profileSettings: { client_id: clientId, ...(redirectUrl !== defaultRedirectUrl && { redirect_url: redirectUrl }) },
  };
}

/** Whose token it is: as the site says, else as the token itself says, which is not verified. Throws `unauthenticated` where the site refuses it. */
async function verifyToken(token: string, context: Context, settings: Settings): Promise<string | undefined> {
  const check = await whoAmI(await context.transport(), settings, bearerHeader(settings, token, "browser"));
  if (check.result === "refused") {
    const message = `the site refused the token that came from the browser (status ${check.status}), so it was not kept`;
    throw new CalError("unauthenticated", message, {
      status: check.status,
      hint: { command: loginCommand(settings.profile.value, "--method browser") },
    });
  }
  return (check.result === "valid" ? check.identity : undefined) ?? parseTokenClaims(token).identity;
}

/** Milliseconds. The times in a token are of another clock, so only their distance is used. */
function getTokenLifetime({ token, expiresIn }: CallbackToken): number {
  if (expiresIn !== undefined) return expiresIn * 1000;
  const { expiresAt, issuedAt } = parseTokenClaims(token);
  const lifetime = expiresAt === undefined || issuedAt === undefined ? 0 : expiresAt - issuedAt;
  return lifetime > 0 ? lifetime : defaultTokenLifetime * 1000;
}

/** The commands of other ways to log in, for hints. */
interface LoginCommands {
  /** Pastes the address. */
  readonly paste: string;
  /** Names another redirect URI. */
  readonly otherUrl: string;
}

async function waitForCallback(url: LoopbackUrl, loginUrl: string, commands: LoginCommands, context: Context): Promise<CallbackToken> {
  const createTimeoutError = () =>
    new CalError("unauthenticated", "no login came back from the browser within 3 minutes", {
      code: "timeout",
      hint: [
        { text: "to paste the address of the last page in the browser", command: commands.paste },
        `if the login page complained of the redirect URL, have ${url.href} registered`,
      ],
    });
  const server = await startCallbackServer({
    url,
    loginUrl,
    timeout: callbackTimeout,
    createTimeoutError,
    otherUrlCommand: commands.otherUrl,
  });
  try {
    await checkClientRegistration(loginUrl, url.href, commands, context);
    // The address is printed before the browser opens: it may not start, or be the wrong one.
    await context.say(`Log in with your browser. If it does not open by itself, open this address in it:\n  ${server.startUrl}`);
    if (context.env["SSH_CONNECTION"])
      await context.notice(
        `over SSH the browser is elsewhere: connect with  ${unbreakable(`ssh -L ${url.port}:127.0.0.1:${url.port} <this machine>`)}`,
      );
    if (!(await context.openBrowser(server.startUrl))) await context.notice("no browser could be started here");
    await context.notice(`cal waits 3 minutes for the login. Ctrl-C ends that; without a browser here: ${unbreakable(commands.paste)}`);
    return await waitForCallbackOrPaste(server, context);
  } finally {
    await server.close();
  }
}

/** A service that refuses the client id or its redirect URI does so for everybody, so it is asked before the browser opens. */
async function checkClientRegistration(
  loginUrl: string,
  redirectUrl: string,
  { otherUrl }: LoginCommands,
  context: Context,
): Promise<void> {
  const transport = await context.transport();
  const { status } = await transport({ method: "GET", url: loginUrl, headers: { accept: "text/html" } });
  if (status !== 400 && status !== 404 && status !== 422) return;
  const message = `the authentication service refused to start the login (status ${status}): is ${redirectUrl} registered for this client id?`;
  throw new CalError("unauthenticated", message, {
    code: "not-registered",
    status,
    hint: {
      text: "have that address registered, or give the one that is",
      command: otherUrl,
    },
  });
}

/** The wait is a hidden question, so that the terminal shows nothing that is typed. Rejects as the server does, and with `interrupted` on Ctrl-C. */
async function waitForCallbackOrPaste({ result }: CallbackServer, context: Context): Promise<CallbackToken> {
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined) return result;
  const controller = new AbortController();
  const waitForPaste = async (): Promise<CallbackToken> => {
    for (;;) {
      const pasted = await prompt.secret("Waiting; or paste the address that the browser ended at", controller.signal);
      const callback = parseCallbackToken(parsePastedUrl(pasted));
      if (callback !== undefined) return callback;
    }
  };
  const paste = waitForPaste();
  try {
    return await Promise.race([result, paste]);
  } finally {
    controller.abort();
    // The question leaves the terminal before anything else is written.
    await paste.catch(() => undefined);
  }
}

const maxAttempts = 3;

const addressField = {
  message: "Address that the browser ended at (hidden, because the token is part of it)",
  hidden: true,
  alternatives: "a terminal",
};

/** Asks while this machine's port of the redirect URI is held. A port that can't be held for another reason, no other program has. */
async function promptWithHeldPort(
  url: LoopbackUrl | undefined,
  loginUrl: string,
  commands: LoginCommands,
  context: Context,
): Promise<CallbackToken> {
  const held =
    url &&
    (await holdCallbackPort(url, commands.otherUrl).catch((error: unknown) => {
      if (error instanceof CalError && error.details.code !== "EADDRINUSE") return undefined;
      throw error;
    }));
  try {
    if (url !== undefined)
      await context.notice(
        `the browser ends at port ${url.port} of its own machine, and a program that listens there receives the login. cal holds this port here; if the browser is on another machine, make sure that no program there listens on it`,
      );
    return await promptForPastedToken(loginUrl, commands, context);
  } finally {
    await held?.close();
  }
}

/** What was pasted does not show, so messages name its length and its origin, which is no secret. */
async function promptForPastedToken(loginUrl: string, commands: LoginCommands, context: Context): Promise<CallbackToken> {
  await context.say(
    `Open this address in a browser and log in. Then copy the address of the last page (that page may fail to load):\n  ${loginUrl}`,
  );
  for (let attempt = 1; ; attempt++) {
    const { address } = await promptForMissing({ address: undefined }, { address: addressField }, context);
    const pasted = address.trim();
    const origin = /^https?:/i.test(pasted) && URL.canParse(pasted) ? ` (${new URL(pasted).origin})` : "";
    const description = `the ${pasted.length} characters that were pasted${origin}`;
    const callback = parseCallbackToken(parsePastedUrl(pasted));
    if (callback !== undefined) {
      await context.notice(`took the token from ${description}`);
      return callback;
    }
    const problem = `${description} hold no token: paste the complete address, with everything after the #`;
    if (attempt === maxAttempts) throw new CalError("unauthenticated", problem, { hint: { command: commands.paste } });
    await context.warn(problem);
  }
}
