// The error class of the program, and the table from kinds of errors to exit codes.
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

/** Documented by `cal help exit-codes`. */
export const exitCodes: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  declined: 130,
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

/** What to do about a problem: a text, or a command that can be pasted, with the text that introduces it. `flags` are for the same command. */
export type Hint = string | { readonly text?: string; readonly command: string } | { readonly text: string; readonly flags: string };

/** Several are printed on a line each. */
export type Hints = Hint | readonly Hint[];

/** Something that is wrong with the input. */
export interface Problem {
  readonly message: string;
  readonly hint?: Hints;
  /** Fields of the input can't be known because of it: that they are missing is no problem of its own. */
  readonly hidesFields?: true;
}

/** Beside the message; every part is optional and free of secrets. */
export interface ErrorDetails {
  readonly hint?: Hints;
  /** Several problems of which the message is the list. */
  readonly problems?: readonly Problem[];
  /** A stable word for programs: the code of the server, if it sent one. */
  readonly code?: string;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** The failed request. The path has no query. */
  readonly request?: { readonly method: string; readonly path: string };
  /** Code, message and invalid parameters from the server, sanitized. */
  readonly server?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Every expected failure. Any other thrown value is a defect (exit 1). */
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

/** A usage error (exit 2): nothing was sent. One problem keeps its own hint; several are listed, a line each with its hint in brackets. */
export function usageError(problems: string | readonly (string | Problem)[], hint?: Hints): CalError {
  const list = (typeof problems === "string" ? [problems] : problems).map(
    (one): Problem => (typeof one === "string" ? { message: one } : one),
  );
  const [only] = list;
  const advice = (list.length === 1 ? only?.hint : undefined) ?? hint;
  const details = advice === undefined ? {} : { hint: advice };
  if (list.length === 1) return new CalError("usage", only?.message ?? "", details);
  return new CalError("usage", list.map((one) => formatProblem(one)).join("\n"), { ...details, problems: list });
}

/** Several errors as one: of the kind `not-found` where one of them is, with each hint once. */
export function joinErrors(errors: readonly CalError[]): CalError {
  const worst = errors.find(({ kind }) => kind === "not-found") ?? errors[0];
  if (worst === undefined) throw new Error("there is no error to join");
  const hints = errors.flatMap(({ details }) => listHints(details.hint));
  const unique = hints.filter((hint, at) => hints.findLastIndex((other) => formatHint(other) === formatHint(hint)) === at);
  return new CalError(worst.kind, errors.map(({ message }) => message).join("\n"), { ...worst.details, hint: unique });
}

/** Any thrown value as a problem. */
export function toProblem(error: unknown): Problem {
  const hint = error instanceof CalError ? error.details.hint : undefined;
  return { message: messageOf(error), ...(hint !== undefined && { hint }) };
}

/** A problem in one line. */
export function formatProblem(problem: string | Problem, formatCommand?: (command: string) => string): string {
  if (typeof problem === "string") return problem;
  const { message, hint } = problem;
  return hint === undefined ? message : `${message} (${formatHints(hint, "; ", formatCommand)})`;
}

/** A hint as it is printed. */
export function formatHint(hint: Hint, formatCommand = (command: string) => command): string {
  if (typeof hint === "string") return hint;
  if ("flags" in hint) return `${hint.text}: the same command${hint.flags === "" ? "" : ` with ${hint.flags}`}`;
  const command = formatCommand(hint.command);
  return hint.text === undefined ? command : `${hint.text}: ${command}`;
}

/** The hints of an error as a list. */
export function listHints(hint: Hints | undefined): readonly Hint[] {
  if (hint === undefined) return [];
  return isHintList(hint) ? hint : [hint];
}

/** All hints as one text, a line each by default; "" where there is none. */
export function formatHints(hint: Hints | undefined, separator = "\n", formatCommand?: (command: string) => string): string {
  return listHints(hint)
    .map((one) => formatHint(one, formatCommand))
    .join(separator);
}

function isHintList(hint: Hints): hint is readonly Hint[] {
  return Array.isArray(hint);
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error code of the system (`ENOENT`, `ECONNREFUSED`) of any thrown value. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
