// A sandbox with options that only tests need: faults that change while it runs, and other rules for redirects.

import type { Fault } from "../../src/sandbox/faults.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../src/sandbox/server.ts";

/** A fault that happens to the requests that match, after `skip` of them, `times` times. */
export interface OrderedFault extends Fault {
  /** Absent is any. */
  readonly method?: string;
  /** A part of the path as sent, without the query. Absent is any. */
  readonly path?: string;
  readonly skip?: number;
  readonly times?: number;
}

export interface FixtureOptions extends SandboxOptions {
  readonly faults?: readonly OrderedFault[];
  /** Redirect URLs that are registered beside the demo application's own. */
  readonly redirectUrls?: readonly string[];
  /** Whether every http address of this machine is a registered redirect URL. */
  readonly anyLoopbackRedirect?: boolean;
  /** Whether application passwords may be sent to http addresses. */
  readonly localEnvironment?: boolean;
}

export interface FixtureSandbox extends Sandbox {
  readonly faults: { add(fault: OrderedFault): void; clear(): void };
}

export async function startFixtureSandbox(options: FixtureOptions): Promise<FixtureSandbox> {
  const { faults: ordered = [], redirectUrls = [], anyLoopbackRedirect = false, localEnvironment = false, ...others } = options;
  const faults = createFaultList(ordered);
  const sandbox = await startSandbox({
    injectFault: faults.inject,
    acceptsRedirect: (url) => localEnvironment || redirectUrls.includes(url) || (anyLoopbackRedirect && isLoopbackUrl(url)),
    ...others,
  });
  return { ...sandbox, faults };
}

function createFaultList(ordered: readonly OrderedFault[]) {
  const waiting = ordered.map((fault) => ({ fault, seen: 0 }));
  return {
    add: (fault: OrderedFault): void => void waiting.push({ fault, seen: 0 }),
    clear: (): void => void waiting.splice(0),
    inject: (method: string, path: string): Fault | undefined => {
      for (const one of waiting) {
        const { skip = 0, times = Number.POSITIVE_INFINITY } = one.fault;
        if ((one.fault.method ?? method) !== method || !path.includes(one.fault.path ?? "")) continue;
        one.seen += 1;
        if (one.seen > skip && one.seen <= skip + times) return one.fault;
      }
      return undefined;
    },
  };
}

function isLoopbackUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" && url.hash === "" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
}
