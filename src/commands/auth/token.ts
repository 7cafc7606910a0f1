// cal auth token: the one command that prints a secret, for scripts that call the interface themselves.

import { loginCommand } from "../../auth/parts.ts";
import { CalError } from "../../errors.ts";
import type { AuthHandler } from "./auth-context.ts";

/** Prints the access as it is now, refreshed where that is due: what stands after the scheme, with --header the whole header, with --json its parts. */
export const token: AuthHandler = async ({ flags }, context) => {
  const access = await (await context.tokens()).getAuthHeader();
  if (access === undefined) {
    const profile = (await context.settings()).profile.value;
    throw new CalError("unauthenticated", `nobody is logged in (profile ${profile})`, {
      code: "not-logged-in",
      hint: loginCommand(profile),
    });
  }
  const space = access.value.indexOf(" ");
  const secret = access.value.slice(space + 1);
  const value = { token: secret, type: space === -1 ? "" : access.value.slice(0, space), header: access.header, source: access.source };
  return { kind: "value", value, text: flags["header"] === true ? `${formatHeaderName(access.header)}: ${access.value}` : secret };
};

/** As headers are usually written: `authorization` is `Authorization`. */
function formatHeaderName(name: string): string {
  return name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
