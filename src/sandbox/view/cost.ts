// Admission prices as The Events Calendar shows them: "10" is "$10", "0" is "Free".
import type { JsonObject } from "./parts.ts";

/** The number of a price, and the sign before or after it. */
interface Price {
  readonly value: string;
  readonly symbol: string;
  readonly position: "prefix" | "suffix" | "";
}

function parsePrices(cost: string): readonly Price[] {
  return [...cost.matchAll(/([^\d\s.,–-]*)\s?(\d+(?:[.,]\d+)?)\s?([€£¥₹$]?)/gu)].map(([, before = "", value = "", after = ""]) => ({
    value: value.replace(",", "."),
    symbol: before || after,
    position: before === "" ? (after === "" ? "" : "suffix") : "prefix",
  }));
}

/** A price in the words of a real server. */
export function formatCost(cost: string): string {
  const parts = parsePrices(cost);
  if (parts.length === 0) return cost;
  const shown = parts.map(({ value, symbol, position }) => {
    if (Number(value) === 0) return "Free";
    return position === "suffix" ? `${value}${symbol}` : `${symbol || "$"}${value}`;
  });
  return shown.join(" – ");
}

/** The numbers of a price. */
export function formatCostDetails(cost: string): JsonObject {
  const parts = parsePrices(cost);
  const [first] = parts;
  const values = parts.length === 0 && cost !== "" ? [cost.toLowerCase()] : parts.map(({ value }) => value);
  return { currency_symbol: first?.symbol ?? "", currency_code: "", currency_position: first?.position ?? "", values };
}
