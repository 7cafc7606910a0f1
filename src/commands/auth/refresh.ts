// cal auth refresh: a new token now, whether the old one is over or not.

import { loginHint } from "../../auth/parts.ts";
import { CalError } from "../../errors.ts";
import { type AuthHandler, getLoginSettings } from "./auth-context.ts";
import { formatIsoTime } from "./record.ts";
import { formatExpiry } from "./until.ts";

/** Answers with the new expiry. Rejects with `unauthenticated` where nothing can be refreshed. */
export const refresh: AuthHandler = async (_invocation, context) => {
  const settings = await getLoginSettings(context);
  const profile = settings.profile.value;
  const tokens = await context.tokens();
  const old = await tokens.getAuthHeader();
  const renewed = old === undefined ? undefined : await tokens.refreshAuthHeader(old);
  if (renewed === undefined) {
    const why =
      old === undefined ? `nobody is logged in (profile ${profile})` : `this login has nothing to refresh it with (${old.source})`;
    throw new CalError("unauthenticated", why, { code: "not-refreshable", hint: loginHint(profile, old?.source) });
  }
  const expires = formatIsoTime((await (await context.credentialStore()).findLogin(profile))?.expires_at);
  const until = formatExpiry(expires, { now: context.clock.now(), zone: settings.tz.value, renews: false });
  return {
    kind: "value",
    value: { profile, refreshed: true, source: renewed.source, ...(expires === undefined ? {} : { expires_at: expires }) },
    text: `Refreshed the token of profile ${profile}${until === undefined ? "" : `, valid until ${until}`}.`,
  };
};
