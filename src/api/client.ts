// The calendar interface as a function: a request of our own kind in, a parsed reply out.

/** Query parameters in the order in which they are sent; arrays are several pairs of `name[]`. */
export type Query = readonly (readonly [name: string, value: string])[];

/** A request of the interface, not yet bound to a site. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to {base_url}, with its leading slash, percent-encoded: `/calendar/events/v1/events/12`. */
  readonly path: string;
  readonly query: Query;
  /** Sent as JSON. Absent is no body. */
  readonly body?: unknown;
}

/** A successful answer, its JSON parsed. */
export interface ApiReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** Reads an answer that has come; rejects with a CalError for every one that is not a success. */
export type LazyReply = () => Promise<ApiReply>;

/** Sends requests. */
export interface Client {
  /** The answer, read; rejects with a CalError for every one that is not a success. */
  send(request: ApiRequest): Promise<ApiReply>;
  /** The answer as bytes, to be read once, when it is wanted; rejects where none came. */
  fetch(request: ApiRequest): Promise<LazyReply>;
}
