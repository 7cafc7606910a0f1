// The one importer of temporal-polyfill. Files that a plain list loads (zone, wall, duration) do without it.

/** Calendar and zone arithmetic as ECMAScript's Temporal defines it. */
export { Temporal } from "temporal-polyfill";
