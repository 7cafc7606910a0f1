// The error of a call, for the tests of this folder.
import { CalError, formatHints } from "../../src/errors.ts";

/** The parts of the CalError that the call throws. Any other error, or none, fails the test. */
export function catchCalError(call: () => unknown): { kind: string; message: string; hint: string | undefined } {
  try {
    call();
  } catch (error) {
    if (error instanceof CalError) return { kind: error.kind, message: error.message, hint: formatHints(error.details.hint) || undefined };
    throw error;
  }
  throw new Error("no error was thrown");
}
