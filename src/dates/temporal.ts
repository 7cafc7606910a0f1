// The only importer of temporal-polyfill. What a plain list loads (zone.ts, duration.ts, day.ts) imports only its types.
export { Temporal } from "temporal-polyfill";
