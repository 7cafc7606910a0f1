// A request of the calendar interface, routed: what the verbs of both kinds of server are called with.
import type { Resource } from "../spec/resource.ts";
import type { Params } from "./parameters.ts";
import type { Payload } from "./payload.ts";
import type { Site } from "./site/site.ts";
import type { Data, Draft } from "./store/memory.ts";
import type { User } from "./store/tables.ts";
import type { Answer } from "./wire.ts";

/** The record that the path names; a slug is decoded, as the caller spelled it. */
export type Target = { readonly by: "id"; readonly id: number } | { readonly by: "slug"; readonly slug: string };

/** A call that reads. */
export interface Call {
  readonly site: Site;
  readonly data: Data;
  /** Undefined for anonymous calls. */
  readonly user: User | undefined;
  readonly resource: Resource;
  /** Absent on collections. */
  readonly target?: Target;
  readonly query: Params;
  readonly payload: Payload;
}

/** A call that writes. */
export interface WriteCall extends Call {
  readonly data: Draft;
}

/** One function for each verb, over any resource. */
export interface Verbs {
  list(call: Call): Answer;
  get(call: Call): Answer;
  create(call: WriteCall): Answer;
  update(call: WriteCall): Answer;
  delete(call: WriteCall): Answer;
}
