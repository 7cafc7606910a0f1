// What a refused date looks like to the user, for the tests of this folder.
import { CalError, formatHints } from "../../src/errors.ts";

/** The parts of the CalError that a call throws; anything else that is thrown, or nothing at all, fails the test. */
export function catchCalError(call: () => unknown): { kind: string; message: string; hint: string | undefined } {
  try {
    call();
  } catch (error) {
    if (error instanceof CalError) return { kind: error.kind, message: error.message, hint: formatHints(error.details.hint) || undefined };
    throw error;
  }
  throw new Error("nothing was refused");
}
