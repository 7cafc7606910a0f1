// Faults to order, for tests: what goes wrong with which requests, as plain data.
import type { Answer } from "./wire.ts";

/** A fault. It happens to requests that match, after `skip` of them, `times` times. */
export interface OrderedFault {
  /** Absent is any. */
  readonly method?: string;
  /** A part of the path as sent, without the query. Absent is any. */
  readonly path?: string;
  /** Matching requests to let through first; 0 unless told. */
  readonly skip?: number;
  /** For how many requests; absent is for all. */
  readonly times?: number;
  /** Milliseconds to wait before anything else is done. */
  readonly delay?: number;
  /** An answer instead of the right one; nothing is done. */
  readonly answer?: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
  /** The right thing is done, but the body is this: HTML of a proxy, half a JSON. */
  readonly garble?: string;
  /**
   * Where the connection is cut: `at-once` does nothing, `before-answer` does the work and answers not a byte,
   * `mid-answer` sends the head and half of the body.
   */
  readonly cut?: "at-once" | "before-answer" | "mid-answer";
}

/** The faults of a running sandbox. */
export interface Faults {
  add(fault: OrderedFault): void;
  clear(): void;
}

/** Faults with their counts; `take` is asked once for each request. */
export class FaultList implements Faults {
  #waiting: { fault: OrderedFault; seen: number }[] = [];

  add(fault: OrderedFault): void {
    this.#waiting.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault that happens to this request; the first one that matches. */
  take(method: string, path: string): OrderedFault | undefined {
    for (const waiting of this.#waiting) {
      const { fault } = waiting;
      if (fault.method !== undefined && fault.method !== method) continue;
      if (fault.path !== undefined && !path.includes(fault.path)) continue;
      waiting.seen += 1;
      const skip = fault.skip ?? 0;
      if (waiting.seen > skip && waiting.seen <= skip + (fault.times ?? Number.POSITIVE_INFINITY)) return fault;
    }
    return undefined;
  }
}

/** The answer that a fault puts in the place of the right one. */
export function faultAnswer({ status, headers = {}, body = "" }: NonNullable<OrderedFault["answer"]>): Answer {
  return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body };
}
