// The browser login where no browser can hand its token over: a person pastes the address that it ended at.
import { uiLoginUrl } from "../../auth/browser/redirect.ts";
import { type CallbackToken, parseCallbackToken, parsePastedUrl } from "../../auth/browser/returned.ts";
import { CalError } from "../../errors.ts";
import { promptForMissing } from "./answers.ts";
import type { AuthContext } from "./auth-context.ts";

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
