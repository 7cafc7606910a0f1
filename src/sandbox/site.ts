// What the site knows of itself: its addresses, its zone and its clock.
import type { ServerProfileName } from "../model/server-profiles.ts";
import { formatUtcTime, toWallTime } from "./entry.ts";

/** The two versions that were recorded; they differ in some answers. */
export type TecVersion = "6.10" | "6.17.2";

/** The site that answers. */
export interface Site {
  /** What it takes for its own address, `http://127.0.0.1:<port>`: without a slash at its end. */
  readonly origin: string;
  readonly serverProfile: ServerProfileName;
  readonly version: TecVersion;
  /** Without slashes at its ends. */
  readonly namespace: string;
  readonly permalinks: "pretty" | "plain";
  /** The zone of the site, by IANA name. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  now(): number;
}

/** The address of a REST path (`/calendar/events/v1/events`) on this site. */
export function getRestUrl(site: Site, path: string): string {
  return site.permalinks === "pretty" ? `${site.origin}/wp-json${path}` : `${site.origin}/index.php?rest_route=${path}`;
}

/** The address of something inside the namespace: `events/12`. */
export function getNamespaceUrl(site: Site, path: string): string {
  return getRestUrl(site, `/${site.namespace}/${path}`);
}

/** Now, as a UTC text. */
export function getUtcNow(site: Site): string {
  return formatUtcTime(site.now());
}

/** Now, on the site's wall clock. */
export function getWallTimeNow(site: Site): string {
  return toWallTime(getUtcNow(site), site.zone);
}
