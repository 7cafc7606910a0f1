// Repeats requests: a few times, with a growing pause or the server's Retry-After, and a notice on stderr. Limits how many are sent at once.
import { formatRequestTarget, type HttpRequest, type HttpResponse, NetworkError, type Transport } from "./transport.ts";

export interface RetryOptions {
  /** Retries of one request at most. */
  readonly retries: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly notice: (text: string) => Promise<void>;
}

/** Milliseconds after the first attempt in which the last one must begin. */
const maxElapsedMs = 30_000;
const initialBackoffMs = 400;
const retryableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "PATCH", "DELETE"]);
const retryableStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** WordPress answers 500 while its database restarts. A write may have been executed by then, so that only reads are repeated. */
const retryableReadStatuses: ReadonlySet<number> = new Set([...retryableStatuses, 500]);
/** A proxy did not wait for the site, which may have executed the request all the same. */
const gatewayErrorStatuses: ReadonlySet<number> = new Set([502, 504]);

/** Wraps a transport. A POST is repeated only where no byte of it was sent. */
export function withRetries(send: Transport, options: RetryOptions): Transport {
  return async (request) => {
    const start = options.now();
    let paused = 0;
    let outcomeUnknown = false;
    for (let attempt = 0; ; attempt++) {
      let answer: HttpResponse | NetworkError;
      try {
        answer = await send(request);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        answer = error;
      }
      const pause = attempt < options.retries ? getBackoff(request, answer, attempt, options) : undefined;
      // The pauses count by themselves too: a clock that is set back must not make the retries endless.
      if (pause === undefined || Math.max(paused, options.now() - start) + pause > maxElapsedMs) {
        if (answer instanceof NetworkError) throw answer;
        return outcomeUnknown ? { ...answer, priorOutcomeUnknown: true } : answer;
      }
      outcomeUnknown ||= answer instanceof NetworkError ? answer.sent : gatewayErrorStatuses.has(answer.status);
      const why = answer instanceof NetworkError ? answer.message : `${formatRequestTarget(request)}: the server answered ${answer.status}`;
      await options.notice(`${why}; trying again in ${(pause / 1000).toFixed(1)} s (${attempt + 1} of ${options.retries})`);
      await options.sleep(pause);
      paused += pause;
    }
  };
}

/** Milliseconds until the next attempt; undefined where the request is not repeated. */
function getBackoff(request: HttpRequest, answer: HttpResponse | NetworkError, attempt: number, options: RetryOptions): number | undefined {
  if (!isRetryable(request.method, answer)) return undefined;
  const retryAfter = answer instanceof NetworkError ? undefined : parseRetryAfter(answer.headers, options.now());
  return retryAfter ?? initialBackoffMs * 2 ** attempt * (0.5 + options.random());
}

function isRetryable(method: string, answer: HttpResponse | NetworkError): boolean {
  const isSafeToRepeat = retryableMethods.has(method);
  if (answer instanceof NetworkError) return (isSafeToRepeat || !answer.sent) && isTransientError(answer);
  return isSafeToRepeat && (method === "GET" || method === "HEAD" ? retryableReadStatuses : retryableStatuses).has(answer.status);
}

/** Not so: a wrong certificate or an unknown host name, which will be the same in a few seconds, and what the client itself gave up. */
function isTransientError({ details: { code = "" } }: NetworkError): boolean {
  return !/^(?:ENOTFOUND|UND_ERR_DESTROYED|too-large|proxy|EPROTO|not-http)|CERT|SELF_SIGNED|UNABLE_TO|SSL/.test(code);
}

/** Milliseconds of a Retry-After header: seconds, or a date, which is compared with the server's own clock where the answer has a Date. */
function parseRetryAfter(headers: HttpResponse["headers"], now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  const serverTime = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(serverTime) ? now : serverTime));
}

/** Too many requests, or no capacity. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Answers in a row after which one more request may be sent at once. */
const successesPerIncrease = 20;

/** Wraps a transport so that at most so many requests are sent at once. A busy answer halves the limit, down to 1. The others wait in order. */
export function limitConcurrency(send: Transport, maxConcurrency: number): Transport {
  const waiting: (() => void)[] = [];
  let limit = maxConcurrency;
  let running = 0;
  let successes = 0;
  return async (request) => {
    if (running < limit) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const response = await send(request);
      const isBusy = busyStatuses.has(response.status);
      successes = isBusy ? 0 : successes + 1;
      if (isBusy) limit = Math.max(1, Math.floor(limit / 2));
      else if (successes % successesPerIncrease === 0) limit = Math.min(maxConcurrency, limit + 1);
      return response;
    } finally {
      running -= 1;
      while (running < limit && waiting.length > 0) {
        running += 1;
        waiting.shift()?.();
      }
    }
  };
}
