// Repeating what may be repeated: bounded, with a growing pause and the server's own Retry-After, and said on stderr.
import { formatRequestTarget, type HttpRequest, type HttpResponse, NetworkError, type Transport } from "./transport.ts";

/** What repeating needs to know. */
export interface RetryOptions {
  /** Repetitions of one request at most. */
  readonly retries: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly notice: (text: string) => Promise<void>;
}

/** No attempt begins later than so many milliseconds after the first one. */
const maxElapsedMs = 30_000;
const initialBackoffMs = 400;
const retryableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "PATCH", "DELETE"]);
const retryableStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** A proxy gave up on the site, which may have done its work all the same. */
const gatewayErrorStatuses: ReadonlySet<number> = new Set([502, 504]);

/** Wraps a transport. POST is repeated only where no byte of it was sent. */
export function withRetries(send: Transport, options: RetryOptions): Transport {
  return async (request) => {
    const start = options.now();
    let paused = 0;
    let lost = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await send(request).catch((error: unknown) => {
        if (error instanceof NetworkError) return error;
        throw error;
      });
      const pause = getBackoff(request, answer, attempt, options);
      // The pauses count by themselves too: a clock that jumps back must not make them endless.
      const passed = Math.max(paused, options.now() - start);
      if (pause === undefined || passed + pause > maxElapsedMs) return finishResponse(answer, lost);
      lost ||= answer instanceof NetworkError ? answer.sent : gatewayErrorStatuses.has(answer.status);
      const why = answer instanceof NetworkError ? answer.message : `${formatRequestTarget(request)}: the server answered ${answer.status}`;
      await options.notice(`${why}; trying again in ${(pause / 1000).toFixed(1)} s (${attempt + 1} of ${options.retries})`);
      await options.sleep(pause);
      paused += pause;
    }
  };
}

/** Milliseconds until the next attempt; undefined where there is none. */
function getBackoff(request: HttpRequest, answer: HttpResponse | NetworkError, attempt: number, options: RetryOptions): number | undefined {
  if (attempt >= options.retries) return undefined;
  const doubled = initialBackoffMs * 2 ** attempt * (0.5 + options.random());
  if (answer instanceof NetworkError) {
    const again = retryableMethods.has(request.method) ? isTransientError(answer) : !answer.sent && isTransientError(answer);
    return again ? doubled : undefined;
  }
  if (!retryableStatuses.has(answer.status) || !retryableMethods.has(request.method)) return undefined;
  return parseRetryAfter(answer.headers, options.now()) ?? doubled;
}

/** A wrong certificate or an unknown name will not mend itself within seconds, and what we gave up ourselves is not wanted any more. */
function isTransientError(loss: NetworkError): boolean {
  return !/^(?:ENOTFOUND|UND_ERR_DESTROYED|too-large|proxy|EPROTO|not-http)|CERT|SELF_SIGNED|UNABLE_TO|SSL/.test(loss.details.code ?? "");
}

/** Milliseconds of a Retry-After header: seconds, or a date, which is read on the server's own clock where the answer tells it. */
function parseRetryAfter(headers: HttpResponse["headers"], now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  const served = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(served) ? now : served));
}

function finishResponse(answer: HttpResponse | NetworkError, lost: boolean): HttpResponse {
  if (answer instanceof NetworkError) throw answer;
  return lost ? { ...answer, priorOutcomeUnknown: true } : answer;
}

// How many requests are under way at once: few enough for a shared host, and fewer where it says that it has too much to do.

/** What a server answers that has too much to do. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** Answers in a row after which one more request at once is dared again. */
const successesPerIncrease = 20;

/** Wraps a transport so that at most so many requests are under way; a busy answer halves that, down to one. The others wait in their order. */
export function limitConcurrency(send: Transport, most: number): Transport {
  const waiting: (() => void)[] = [];
  let allowed = most;
  let running = 0;
  let good = 0;
  const next = () => {
    while (running < allowed && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  const heed = (status: number) => {
    good = busyStatuses.has(status) ? 0 : good + 1;
    if (busyStatuses.has(status)) allowed = Math.max(1, Math.floor(allowed / 2));
    else if (good % successesPerIncrease === 0) allowed = Math.min(most, allowed + 1);
  };
  return async (request) => {
    if (running < allowed) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      const response = await send(request);
      heed(response.status);
      return response;
    } finally {
      running -= 1;
      next();
    }
  };
}
