// What a row of the table of faults is: plain data that the tests run and docs/faults.md is made from.

/** What the server does with one request that it has read. In what it sends `{origin}` and `{port}` stand for its own, `{other}` for another site's origin. */
export interface ServerAction {
  /** The bytes of the answer. */
  readonly send: string;
  /** And then: wait for the next request, end the connection, reset it, or say nothing more. */
  readonly next: "keep" | "end" | "reset" | "hang";
  /** Send byte by byte, so many milliseconds apart. */
  readonly byteIntervalMs?: number;
}

/** Where the command is sent to. */
export type FaultTarget =
  /** A server on loopback; each request gets the next act, the last one again and again. `tls` names its certificate, `scheme` a wrong address. */
  | {
      readonly acts: readonly ServerAction[];
      readonly tls?: "here" | "elsewhere" | "expired";
      readonly host?: "::1";
      readonly scheme?: "http" | "https";
    }
  /** The same as a proxy, for an address that does not exist. */
  | { readonly acts: readonly ServerAction[]; readonly proxies: string }
  /** A port on which nothing listens; as a proxy too. */
  | { readonly closed: true; readonly proxies?: string }
  /** A server that resets every connection at once, or takes it and never answers, so that no secure connection is made. */
  | { readonly atConnect: "reset" | "silence" }
  /** An address that gets no request. */
  | { readonly url: string };

/** A fault and its outcome. */
export interface FaultCase {
  /** What goes wrong, as the documentation states it. */
  readonly fault: string;
  readonly target: FaultTarget;
  /** What is entered after `cal`. */
  readonly commandLine: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  /** Parts of what stderr says, or of stdout where it succeeds. */
  readonly expectedOutput: readonly string[];
  /** Requests that reached the server, and how often trying again was announced. */
  readonly requestCount: number;
  readonly retryCount: number;
}

/** A fault that a test of its own makes. */
export interface SeparateTest {
  readonly fault: string;
  /** The exit code, in words where there are several. */
  readonly outcome: string;
  /** The test's file, and words that stand in it. */
  readonly test: string;
  readonly searchText: string;
}

/** Faults of one kind. */
export interface FaultGroup {
  readonly title: string;
  readonly rows: readonly FaultCase[];
  readonly separateTests: readonly SeparateTest[];
}
