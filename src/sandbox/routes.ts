// From a REST path and a method to what is asked for; the routes are read from the spec.

import { resources } from "../spec/index.ts";
import type { Resource, Verb } from "../spec/resource.ts";
import type { Target } from "./call.ts";

/** A route of the namespace. */
export type Route =
  | { readonly kind: "root" }
  | { readonly kind: "doc" }
  | { readonly kind: "record"; readonly resource: Resource; readonly target?: Target };

/** The verbs by method, on a collection and on a record (section 4; OPTIONS describes a route). */
const collectionVerbs: Readonly<Record<string, Verb>> = { GET: "list", HEAD: "list", POST: "create" };
const recordVerbs: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "update",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

/** What a path relative to the namespace means (`/events/12`), or undefined. Upper case and one slash at the end don't matter. */
export function parseRoute(path: string): Route | undefined {
  const [, ...segments] = path.replace(/\/$/, "").split("/");
  const [first = "", second, third, ...more] = segments;
  const word = first.toLowerCase();
  if (segments.length === 0) return { kind: "root" };
  if (word === "doc" && second === undefined) return { kind: "doc" };
  const resource = Object.values(resources).find(({ name }) => name === word);
  if (resource === undefined || more.length > 0) return undefined;
  if (second === undefined) return { kind: "record", resource };
  if (third === undefined) return /^\d+$/.test(second) ? { kind: "record", resource, target: { by: "id", id: Number(second) } } : undefined;
  const slug = decodeSegment(third);
  if (!resource.bySlug || second.toLowerCase() !== "by-slug" || slug === undefined || slug === "") return undefined;
  return { kind: "record", resource, target: { by: "slug", slug } };
}

/** The verb that a method means on a route; undefined is no route, as real servers say it. */
export function resolveVerb(method: string, target: Target | undefined): Verb | undefined {
  const verbs = target === undefined ? collectionVerbs : recordVerbs;
  return Object.hasOwn(verbs, method) ? verbs[method] : undefined;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
