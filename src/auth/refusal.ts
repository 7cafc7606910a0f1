// What a token endpoint that grants nothing means, said without a word that could be a secret.
import { CalError, type ErrorKind } from "../errors.ts";
import { redactSecrets } from "../http/secrets.ts";
import type { HttpResponse } from "../http/transport.ts";
import { parseJsonBody, toNumber, toRecord, toText } from "./reading.ts";

/** What the reader of an answer must know of the request: where it went, when the answer came, and what may never be quoted. */
export interface TokenRequestContext {
  readonly path: string;
  /** Milliseconds on our own clock. */
  readonly receivedAt: number;
  readonly secrets: readonly string[];
}

/** The error for an answer that is no grant ("not shown" in section 7): 400, 401 and 403 all mean that the credentials were refused. */
export function tokenEndpointError(response: HttpResponse, exchange: TokenRequestContext): CalError {
  const said = parseTokenErrorBody(response, exchange.secrets);
  // An integer `code` in the body says more than the status: some services send every error as 200 or 400.
  const status = said.status ?? response.status;
  const details = {
    status,
    request: { method: "POST", path: exchange.path },
    ...(said.code === undefined ? {} : { code: said.code }),
    ...(said.message === undefined && said.code === undefined
      ? {}
      : { server: { ...(said.code && { code: said.code }), ...(said.message && { message: said.message }) } }),
  };
  const { kind, message, hint } = classifyTokenError(status, said.code);
  const words = said.message ?? said.code;
  return new CalError(kind, words === undefined ? message : `${message} (it says: ${words})`, { ...details, hint });
}

/** Whether an error means that the endpoint does not know the request at all, so that another form may be tried. */
export function isUnknownEndpoint(error: unknown): boolean {
  if (!(error instanceof CalError)) return false;
  return error.details.status === 404 || error.details.status === 405 || error.details.code === "unsupported_grant_type";
}

function classifyTokenError(status: number, code: string | undefined): { kind: ErrorKind; message: string; hint: string } {
  if (code === "unsupported_grant_type") {
    return {
      kind: "unauthenticated",
      message: "the authentication service does not offer this way to log in",
      hint: "cal auth login --endpoint app, or cal auth login --method browser",
    };
  }
  if (code === "invalid_client" || code === "unauthorized_client") {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the application key",
      hint: "check client id and client secret, then: cal auth login",
    };
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      kind: "unauthenticated",
      message: "the authentication service refused the credentials",
      hint: "check user name, password, client id and client secret, then: cal auth login",
    };
  }
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    return {
      kind: "local",
      message: `there is no token endpoint at auth_url (status ${status})`,
      hint: "cal config list --show-origin shows auth_url; cal auth login --endpoint app tries the other endpoint",
    };
  }
  return { kind: "unavailable", message: `the authentication service gave no usable answer (status ${status})`, hint: "try again later" };
}

interface TokenErrorBody {
  readonly status?: number;
  readonly code?: string;
  readonly message?: string;
}

/** The three known forms of an error body; HTML and everything else says nothing. */
function parseTokenErrorBody(response: HttpResponse, secrets: readonly string[]): TokenErrorBody {
  const answer = toRecord(parseJsonBody(response.body));
  if (answer === undefined) return {};
  const inner = toRecord(answer["error"]);
  const status = toNumber(inner?.["code"]) ?? toNumber(answer["code"]);
  const code = parseErrorCode(inner?.["code"]) ?? parseErrorCode(answer["error"]) ?? parseErrorCode(answer["code"]);
  const text = toText(inner?.["message"]) ?? toText(answer["error_description"]) ?? toText(answer["message"]) ?? toText(answer["error"]);
  return {
    ...(status !== undefined && status >= 400 && status <= 599 ? { status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(text === undefined || text === code ? {} : { message: redactAndTruncate(text, secrets) }),
  };
}

function parseErrorCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[a-z][a-z0-9_.-]{1,39}$/i.test(value) ? value : undefined;
}

/** At most 160 characters on one line; known secrets and whatever looks like a token are taken out. */
export function redactAndTruncate(text: string, secrets: readonly string[]): string {
  return redactSecrets(text, secrets)
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replaceAll(/[\w.~+/=-]{24,}/g, "***")
    .slice(0, 160);
}
