// Check: the keychain takes a text, gives it back and forgets it.
import { createKeychainSecretStore, getKeychainTimeouts } from "../../auth/keychain.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Check } from "./finding.ts";
import { findLoginSource } from "./login.ts";
import { CheckSkippedError } from "./unready.ts";

/** Milliseconds: with a display, a person may be typing a password into a window. */
const keychainTimeouts = { display: 10_000, none: 5000 };

/** Writes, reads back and deletes a text that is no secret; resolves with what went wrong. */
export async function testKeychain({ machine, env, notice }: Context): Promise<CalError | undefined> {
  const usual = getKeychainTimeouts(env, machine.platform);
  const timeout = usual.noticeDelay === undefined ? keychainTimeouts.none : keychainTimeouts.display;
  const keychain = createKeychainSecretStore({ program: machine.keychainProgram, env, notice, timeouts: { ...usual, timeout } });
  const account = `doctor/${machine.pid}`;
  try {
    await keychain.write([[account, "test"]]);
    const read = (await keychain.read([account])).get(account);
    await keychain.remove([account]);
    return read === "test" ? undefined : new CalError("unauthenticated", "the keychain gives back something else than it was given");
  } catch (error) {
    if (error instanceof CalError) return error;
    throw error;
  }
}

/** A keychain that can't be used is a failure only where the profile's login is in it, and a note where that is somewhere else. */
export const keychainCheck: Check = {
  name: "keychain",
  run: async ({ context, keychainError: tried, settings }) => {
    const fault = await tried();
    if (fault === undefined) return { state: "ok", found: "a text was written, read back and deleted" };
    const place = await settings()
      .then((known) => (known.sandbox.value ? undefined : findLoginSource(context, known)))
      .catch(() => undefined);
    if (place !== undefined && place !== "keychain")
      throw new CheckSkippedError(`not needed, the login comes from ${place}: ${fault.message}`);
    const { hint } = fault.details;
    return { state: place === "keychain" ? "failure" : "warning", found: fault.message, ...(hint === undefined ? {} : { advice: hint }) };
  },
};
