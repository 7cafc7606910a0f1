// How many requests are under way at once: few enough for a shared host, and fewer where it says that it has too much to do.
import type { Transport } from "./transport.ts";

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
