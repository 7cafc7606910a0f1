// What a row of the table of faults is: plain data that the tests run and docs/faults.md is made from.

/** What the server does with one request that it has read. In what it sends `{origin}` and `{port}` stand for its own, `{other}` for another site's origin. */
export interface Act {
  /** The bytes of the answer. */
  readonly send: string;
  /** And then: wait for the next request, end the connection, reset it, or say nothing more. */
  readonly next: "keep" | "end" | "reset" | "hang";
  /** Send byte by byte, so many milliseconds apart. */
  readonly drip?: number;
}

/** Where the command is sent to. */
export type Place =
  /** A server on loopback; each request gets the next act, the last one again and again. `tls` names its certificate, `scheme` a wrong address. */
  | {
      readonly acts: readonly Act[];
      readonly tls?: "here" | "elsewhere" | "expired";
      readonly host?: "::1";
      readonly scheme?: "http" | "https";
    }
  /** The same as a proxy, for an address that does not exist. */
  | { readonly acts: readonly Act[]; readonly proxies: string }
  /** A port on which nothing listens; as a proxy too. */
  | { readonly closed: true; readonly proxies?: string }
  /** A server that resets every connection at once, or takes it and never speaks, so that no secure connection is made. */
  | { readonly atConnect: "reset" | "silence" }
  /** An address that is never asked. */
  | { readonly url: string };

/** A fault and its outcome. */
export interface Row {
  /** What goes wrong, as the documentation tells it. */
  readonly fault: string;
  readonly at: Place;
  /** What is typed after `cal`. */
  readonly line: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly code: number;
  /** Parts of what stderr says, or of stdout where it succeeds. */
  readonly says: readonly string[];
  /** Requests that reached the server, and how often trying again was announced. */
  readonly sent: number;
  readonly again: number;
}

/** A fault that a test of its own makes. */
export interface Proven {
  readonly fault: string;
  /** The exit code, in words where there are several. */
  readonly outcome: string;
  /** The test's file, and words that stand in it. */
  readonly test: string;
  readonly words: string;
}

/** Faults of one kind. */
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly proven: readonly Proven[];
}
