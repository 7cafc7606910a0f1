// The error bodies of the calendar interface. The contract shows none (section 7); these are the recorded ones of a real server.
import { jsonResponse, ResponseError } from "./wire.ts";

/** `{code, message, data: {status, ...}}`. */
export function createApiError(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}): ResponseError {
  return new ResponseError(jsonResponse(status, { code, message, data: { status, ...data } }));
}

/** What is wrong with one parameter; a code makes it a row of `data.details` too. */
export interface ParameterError {
  readonly message: string;
  readonly code?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** 400 for required parameters that were not sent: all of them. */
export function createMissingParametersError(names: readonly string[]): ResponseError {
  return createApiError(400, "rest_missing_callback_param", `Missing parameter(s): ${names.join(", ")}`, { params: names });
}

/** 400 for parameters that can't be used: all of them. */
export function createInvalidParametersError(faults: Readonly<Record<string, ParameterError>>): ResponseError {
  const names = Object.keys(faults);
  const params = Object.fromEntries(names.map((name) => [name, faults[name]?.message]));
  const coded = Object.entries(faults).flatMap(([name, { code, message, data }]) =>
    code === undefined ? [] : [[name, { code, message, data }]],
  );
  // An empty list of details is an empty array on real servers.
  const details = coded.length === 0 ? [] : Object.fromEntries(coded);
  return createApiError(400, "rest_invalid_param", `Invalid parameter(s): ${names.join(", ")}`, { params, details });
}

/** 404 for a path or method that nothing answers to. */
export function createNoRouteError(): ResponseError {
  return createApiError(404, "rest_no_route", "No route was found matching the URL and request method.");
}
