// Repeating what may be repeated: bounded, with a growing pause and the server's own Retry-After, and said on stderr.
import { type HttpRequest, type HttpResponse, LostExchange, placeOf, type Transport } from "./transport.ts";

/** What repeating needs to know. */
export interface RetryOptions {
  /** Repetitions of one request at most. */
  readonly retries: number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds since 1970, to read a Retry-After that is a date. */
  readonly now: () => number;
  /** 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly notice: (text: string) => Promise<void>;
}

/** All pauses of one request together, in milliseconds, at most. */
const budget = 30_000;
const firstPause = 400;
const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "PATCH", "DELETE"]);
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Wraps a transport. POST is repeated only where no byte of it was sent; a lost POST says how to find out what became of it. */
export function withRetries(send: Transport, options: RetryOptions): Transport {
  return async (request) => {
    let spent = 0;
    let lost = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await send(request).catch((error: unknown) => {
        if (error instanceof LostExchange) return error;
        throw error;
      });
      if (answer instanceof LostExchange) lost ||= answer.sent;
      const pause = pauseFor(request, answer, attempt, options);
      if (pause === undefined || spent + pause > budget) return finish(request, answer, lost);
      const why = answer instanceof LostExchange ? answer.message : `${placeOf(request)}: the server answered ${answer.status}`;
      await options.notice(`${why}; trying again in ${(pause / 1000).toFixed(1)} s (${attempt + 1} of ${options.retries})`);
      await options.sleep(pause);
      spent += pause;
    }
  };
}

/** Milliseconds until the next attempt; undefined where there is none. */
function pauseFor(request: HttpRequest, answer: HttpResponse | LostExchange, attempt: number, options: RetryOptions): number | undefined {
  if (attempt >= options.retries) return undefined;
  const doubled = firstPause * 2 ** attempt * (0.5 + options.random());
  if (answer instanceof LostExchange) {
    const again = repeatable.has(request.method) ? isPassing(answer) : !answer.sent && isPassing(answer);
    return again ? doubled : undefined;
  }
  if (!passing.has(answer.status) || !repeatable.has(request.method)) return undefined;
  return retryAfter(answer.headers["retry-after"], options.now()) ?? doubled;
}

/** A wrong certificate or an unknown name will not mend itself within seconds. */
function isPassing(loss: LostExchange): boolean {
  const code = loss.details.code ?? "";
  return code !== "ENOTFOUND" && code !== "too-large" && code !== "EPROTO" && !/CERT|SELF_SIGNED|UNABLE_TO|SSL/.test(code);
}

/** Milliseconds of a Retry-After header: seconds or a date. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function finish(request: HttpRequest, answer: HttpResponse | LostExchange, lost: boolean): HttpResponse {
  if (!(answer instanceof LostExchange)) return lost ? { ...answer, repeated: true } : answer;
  if (request.method !== "POST" || !answer.sent) throw answer;
  throw new LostExchange(`${answer.message}; the outcome is unknown: it may have been done`, true, {
    ...answer.details,
    hint: "look before you repeat it, so that nothing is created twice",
  });
}
