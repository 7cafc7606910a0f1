// Repeating what may be repeated: bounded, with a growing pause and the server's own Retry-After, and said on stderr.
import { type HttpRequest, type HttpResponse, LostExchange, placeOf, type Transport } from "./transport.ts";

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
const budget = 30_000;
const firstPause = 400;
const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "PATCH", "DELETE"]);
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
/** A proxy gave up on the site, which may have done its work all the same. */
const unanswered: ReadonlySet<number> = new Set([502, 504]);

/** Wraps a transport. POST is repeated only where no byte of it was sent. */
export function withRetries(send: Transport, options: RetryOptions): Transport {
  return async (request) => {
    const start = options.now();
    let paused = 0;
    let lost = false;
    for (let attempt = 0; ; attempt++) {
      const answer = await send(request).catch((error: unknown) => {
        if (error instanceof LostExchange) return error;
        throw error;
      });
      const pause = pauseFor(request, answer, attempt, options);
      // The pauses count by themselves too: a clock that jumps back must not make them endless.
      const passed = Math.max(paused, options.now() - start);
      if (pause === undefined || passed + pause > budget) return finish(answer, lost);
      lost ||= answer instanceof LostExchange ? answer.sent : unanswered.has(answer.status);
      const why = answer instanceof LostExchange ? answer.message : `${placeOf(request)}: the server answered ${answer.status}`;
      await options.notice(`${why}; trying again in ${(pause / 1000).toFixed(1)} s (${attempt + 1} of ${options.retries})`);
      await options.sleep(pause);
      paused += pause;
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
  return retryAfter(answer.headers, options.now()) ?? doubled;
}

/** A wrong certificate or an unknown name will not mend itself within seconds, and what we gave up ourselves is not wanted any more. */
function isPassing(loss: LostExchange): boolean {
  return !/^(?:ENOTFOUND|UND_ERR_DESTROYED|too-large|proxy|EPROTO|not-http)|CERT|SELF_SIGNED|UNABLE_TO|SSL/.test(loss.details.code ?? "");
}

/** Milliseconds of a Retry-After header: seconds, or a date, which is read on the server's own clock where the answer tells it. */
function retryAfter(headers: HttpResponse["headers"], now: number): number | undefined {
  const value = headers["retry-after"];
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  const served = Date.parse(headers["date"] ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - (Number.isNaN(served) ? now : served));
}

function finish(answer: HttpResponse | LostExchange, lost: boolean): HttpResponse {
  if (answer instanceof LostExchange) throw answer;
  return lost ? { ...answer, repeated: true } : answer;
}
