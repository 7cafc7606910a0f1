// Why a check is skipped.

/** Thrown where something that a check needs is not there; the message says what. */
export class CheckSkippedError extends Error {
  override readonly name = "Unready";
}
