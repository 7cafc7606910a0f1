// The table of settings.
import type { Column } from "../../spec/resource.ts";

export const keyColumn: Column = { header: "KEY", path: "key", kind: "name", priority: 1 };
export const valueColumn: Column = { header: "VALUE", path: "value", kind: "text", priority: 1 };
export const originColumn: Column = { header: "ORIGIN", path: "origin", kind: "text", priority: 2 };
export const profileColumn: Column = { header: "PROFILE", path: "profile", kind: "name", priority: 1 };
