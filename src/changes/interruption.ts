// Ctrl-C and SIGTERM while many records are written: nothing more is begun, and what is under way has a short time to end.
import type { Context } from "../context.ts";
import type { InterruptionKind } from "./result.ts";

/** The answers of requests under way are waited for so long after the signal. Milliseconds. */
const graceMs = 5000;

export interface Interruption {
  /** Undefined until a signal comes. */
  readonly kind: InterruptionKind | undefined;
  /** Signals end the process again. */
  release(): void;
}

/**
 * Takes the signals of the process. `onEnd` is called after the time for the requests under way, or at the second signal. A third signal ends
 * the process.
 */
export function listenForInterruption({ machine, clock, notice, journal }: Context, onEnd: (kind: InterruptionKind) => void): Interruption {
  let kind: InterruptionKind | undefined;
  const ended = new AbortController();
  const release = () => {
    stopListening();
    ended.abort();
  };
  const stopListening = machine.onSignal((signal) => {
    if (kind !== undefined) {
      release();
      onEnd(kind);
      return;
    }
    const first = signal;
    kind = first;
    void journal().then((opened) => opened.interrupt());
    void notice("interrupted: waiting for the requests under way; the same signal again ends without them");
    clock.sleep(graceMs, ended.signal).then(
      () => onEnd(first),
      () => undefined,
    );
  });
  return {
    get kind() {
      return kind;
    },
    release,
  };
}
