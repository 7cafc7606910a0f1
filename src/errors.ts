// The one error class of the program, and the one table from its kinds to exit codes.

/** What kind of trouble it is; each kind has exactly one exit code. */
export type ErrorKind =
  | "internal"
  | "declined"
  | "usage"
  | "not-found"
  | "unauthenticated"
  | "forbidden"
  | "rejected"
  | "unavailable"
  | "mixed"
  | "findings"
  | "local"
  | "interrupted"
  | "terminated";

/** The exit code of every kind of problem (docs: `cal help exit-codes`). */
export const exitCodes: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  declined: 1,
  usage: 2,
  "not-found": 3,
  unauthenticated: 4,
  forbidden: 5,
  rejected: 6,
  unavailable: 7,
  mixed: 8,
  findings: 9,
  local: 10,
  interrupted: 130,
  terminated: 143,
};

/** What may be told beside the message; every part is optional and free of secrets. */
export interface ErrorDetails {
  /** What to do about it, as a rule a command that can be pasted. */
  readonly hint?: string;
  /** A stable word for programs: the server's own code where it gave one. */
  readonly code?: string;
  /** The HTTP status of the answer, where there was one. */
  readonly status?: number;
  /** The request that failed: its method and its path, without the query. */
  readonly request?: { readonly method: string; readonly path: string };
  /** What the server said, cleaned: its code, message and bad parameters. */
  readonly server?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every failure that a user can see. Anything else that is thrown is a defect (exit 1). */
export class CalError extends Error {
  override readonly name = "CalError";
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}

/** A usage problem (exit 2): nothing was sent. Several problems are told at once, a line each. */
export function usageError(problems: string | readonly string[], hint?: string): CalError {
  const message = typeof problems === "string" ? problems : problems.join("\n");
  return new CalError("usage", message, hint === undefined ? {} : { hint });
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message with its hint behind it, for a list of problems that can't give each its own line of advice. */
export function adviceOf(error: unknown): string {
  const hint = error instanceof CalError ? error.details.hint : undefined;
  return hint === undefined ? messageOf(error) : `${messageOf(error)} (${hint})`;
}

/** Takes apart what `adviceOf` put together: advice that stands alone is given its own line again. */
export function advised(message: string): { readonly message: string; readonly hint?: string } {
  const start = message.endsWith(")") ? findOpeningParenthesis(message) : -1;
  return start <= 0 ? { message } : { message: message.slice(0, start), hint: message.slice(start + 2, -1) };
}

/** Where ` (` opens the bracket that the text ends with; -1 where nothing does. */
function findOpeningParenthesis(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ")") depth += 1;
    if (text[at] === "(") depth -= 1;
    if (depth === 0) return text[at - 1] === " " ? at - 1 : -1;
  }
  return -1;
}

/** The system's error code (`ENOENT`, `ECONNREFUSED`) of anything that was thrown, or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
