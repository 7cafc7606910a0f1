// A request of the calendar interface, routed: what the verbs of both kinds of server are called with.
import type { Resource } from "../spec/resource.ts";
import type { Params } from "./parameters.ts";
import type { Payload } from "./payload.ts";
import type { Site } from "./site/site.ts";
import type { StoreReader, StoreWriter } from "./store/memory.ts";
import type { User } from "./store/tables.ts";
import type { SandboxResponse } from "./wire.ts";

/** The record that the path names; a slug is decoded, as the caller spelled it. */
export type Target = { readonly by: "id"; readonly id: number } | { readonly by: "slug"; readonly slug: string };

/** A call that reads. */
export interface RoutedRequest {
  readonly site: Site;
  readonly data: StoreReader;
  /** Undefined for anonymous calls. */
  readonly user: User | undefined;
  readonly resource: Resource;
  /** Absent on collections. */
  readonly target?: Target;
  readonly query: Params;
  readonly payload: Payload;
}

/** A call that writes. */
export interface RoutedWriteRequest extends RoutedRequest {
  readonly data: StoreWriter;
}

/** One function for each verb, over any resource. */
export interface VerbHandlers {
  list(call: RoutedRequest): SandboxResponse;
  get(call: RoutedRequest): SandboxResponse;
  create(call: RoutedWriteRequest): SandboxResponse;
  update(call: RoutedWriteRequest): SandboxResponse;
  delete(call: RoutedWriteRequest): SandboxResponse;
}
