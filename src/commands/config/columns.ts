// The table of settings.
import type { Column } from "../../spec/resource.ts";

/** Name of a setting. */
export const keyColumn: Column = { header: "KEY", path: "key", kind: "name", priority: 1 };
/** Its value. */
export const valueColumn: Column = { header: "VALUE", path: "value", kind: "text", priority: 1 };
/** Where it comes from. */
export const originColumn: Column = { header: "ORIGIN", path: "origin", kind: "text", priority: 2 };
/** Name of a profile. */
export const profileColumn: Column = { header: "PROFILE", path: "profile", kind: "name", priority: 1 };
