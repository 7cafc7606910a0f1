// Check: the keychain takes a text, gives it back and forgets it.
import { createKeychain, patienceFor } from "../../auth/keychain.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Check } from "./finding.ts";
import { loginPlace } from "./login.ts";
import { Unready } from "./unready.ts";

/** Milliseconds: with a display, a person may be typing a password into a window. */
const patience = { display: 10_000, none: 5000 };

/** Writes, reads back and deletes a text that is no secret; resolves with what went wrong. */
export async function tryKeychain({ machine, env, notice }: Context): Promise<CalError | undefined> {
  const usual = patienceFor(env, machine.platform);
  const end = usual.notice === undefined ? patience.none : patience.display;
  const keychain = createKeychain({ program: machine.keychainProgram, env, notice, patience: { ...usual, end } });
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
export const keychain: Check = {
  name: "keychain",
  run: async ({ context, keychain: tried, settings }) => {
    const fault = await tried();
    if (fault === undefined) return { state: "ok", found: "a text was written, read back and deleted" };
    const place = await settings()
      .then((known) => (known.sandbox.value ? undefined : loginPlace(context, known)))
      .catch(() => undefined);
    if (place !== undefined && place !== "keychain") throw new Unready(`not needed, the login comes from ${place}: ${fault.message}`);
    const { hint } = fault.details;
    return { state: place === "keychain" ? "failure" : "warning", found: fault.message, ...(hint === undefined ? {} : { advice: hint }) };
  },
};
