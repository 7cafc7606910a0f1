// Faults to order, for tests: what goes wrong with which requests, as plain data.
import type { SandboxResponse } from "./wire.ts";

/** A fault. It happens to requests that match, after `skip` of them, `times` times. */
export interface InjectedFault {
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
  readonly response?: { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };
  /** The right thing is done, but the body is this: HTML of a proxy, half a JSON. */
  readonly bodyOverride?: string;
  /**
   * Where the connection is cut: `at-once` does nothing, `before-answer` does the work and answers not a byte,
   * `mid-answer` sends the head and half of the body.
   */
  readonly disconnect?: "at-once" | "before-answer" | "mid-answer";
}

/** The faults of a running sandbox. */
export interface FaultInjector {
  add(fault: InjectedFault): void;
  clear(): void;
}

/** Faults with their counts; `take` is asked once for each request. */
export class FaultList implements FaultInjector {
  #entries: { fault: InjectedFault; seen: number }[] = [];

  add(fault: InjectedFault): void {
    this.#entries.push({ fault, seen: 0 });
  }

  clear(): void {
    this.#entries = [];
  }

  /** The fault that happens to this request; the first one that matches. */
  matchRequest(method: string, path: string): InjectedFault | undefined {
    for (const waiting of this.#entries) {
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
export function createFaultResponse({ status, headers = {}, body = "" }: NonNullable<InjectedFault["response"]>): SandboxResponse {
  return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body };
}
