// Faults: what goes wrong with a request, so that a client can be tested against it.
import { usageError } from "../errors.ts";

export interface Fault {
  /** Milliseconds to wait before anything else is done. */
  readonly delay?: number;
  /** Sent instead of the right answer; nothing is done. */
  readonly response?: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
  /** The request is done, but the answer has this body: HTML of a proxy, half a JSON. */
  readonly bodyOverride?: string;
  /**
   * Where the connection is cut: `at-once` does nothing, `before-answer` does the request and sends not a byte,
   * `mid-answer` sends the head and half of the body.
   */
  readonly disconnect?: "at-once" | "before-answer" | "mid-answer";
}

/** The fault of a request; undefined where it is answered as usual. Called once for each request. */
export type FaultInjector = (method: string, path: string) => Fault | undefined;

const faultPattern = /^(?:([45]\d\d)|(cut)|(\d+(?:ms|s|m)))(?: ([A-Z]+))?(?: (\/\S*))?(?: x(\d{1,6}))?$/;

/**
 * Faults as `cal sandbox serve --fault` takes them: `503 POST /events x2` answers the first two POSTs to a path with "/events" in it with
 * 503; `cut` cuts the connection before the answer, and a duration (`5s`) delays it. The first fault that matches counts.
 */
export function parseFaults(texts: readonly string[]): FaultInjector {
  const faults = texts.map((text) => {
    const [matched, status, cut, delay, method, path = "", times] = faultPattern.exec(text) ?? [];
    if (matched === undefined)
      throw usageError(
        `--fault takes a status from 400 to 599, cut or a duration, and then a method, a path and a count, not ${JSON.stringify(text)}`,
        '--fault "503 POST /events x2" answers the first two POSTs to /events with 503',
      );
    return {
      fault: createFault(text, status, cut, delay),
      method,
      path,
      left: times === undefined ? Number.POSITIVE_INFINITY : Number(times),
    };
  });
  return (method, path) => {
    const found = faults.find((one) => one.left > 0 && (one.method ?? method) === method && path.includes(one.path));
    if (found !== undefined) found.left -= 1;
    return found?.fault;
  };
}

function createFault(text: string, status: string | undefined, cut: string | undefined, delay: string | undefined): Fault {
  if (cut !== undefined) return { disconnect: "before-answer" };
  if (status === undefined) return { delay: parseDurationMs(delay ?? "") ?? 0 };
  const body = { code: "sandbox_fault", message: `This is the fault ${JSON.stringify(text)}.`, data: { status: Number(status) } };
  return { response: { status: Number(status), body: JSON.stringify(body) } };
}

/** Seconds, as `cal sandbox serve --token-lifetime` takes them: `60s`, `5m`, `1h`. */
export function parseTokenLifetime(text: string): number {
  const seconds = (parseDurationMs(text) ?? 0) / 1000;
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  throw usageError(`--token-lifetime takes a duration such as 60s or 5m, not ${JSON.stringify(text)}`);
}

function parseDurationMs(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return count === undefined ? undefined : Number(count) * (milliseconds[unit] ?? 0);
}
