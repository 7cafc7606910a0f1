// Prices as The Events Calendar stores, parses and shows them (recorded, and the rules by which it parses from its source).
import { slugify } from "./entry.ts";
import type { Entry } from "./store.ts";
import { removeBackslashes } from "./tec/values.ts";

/** What is stored of a price. */
export interface Price {
  /** The texts; several were sent as an array. */
  readonly rows: readonly string[];
  readonly symbol: string;
  /** `prefix`, `suffix`, `postfix`, or "", which shows as a prefix. */
  readonly position: string;
}

/** The symbol and the position are read from the text where they were never stored. */
export function getPrice({ fields }: Entry): Price {
  const text = String(fields["cost"] ?? "");
  const rows = text === "" ? [] : text.split("\n");
  const { currency_symbol: symbol = parseSymbol(rows) } = fields;
  const { currency_position: position = parsePosition(rows, String(symbol)) } = fields;
  return { rows, symbol: String(symbol), position: String(position) };
}

/** The fields of a price that was sent: a number, a text, or an array, whose items become rows of their own. */
export function parseSentCost(value: unknown): Readonly<Record<"cost" | "currency_symbol" | "currency_position", string>> {
  const items = Array.isArray(value) ? value : typeof value === "string" || typeof value === "number" ? [value] : [];
  const rows = items.map((item) => removeBackslashes(String(item)).replaceAll("\n", " ")).filter((item) => item !== "");
  const currency_symbol = parseSymbol(rows);
  return { cost: rows.join("\n"), currency_symbol, currency_position: parsePosition(rows, currency_symbol) };
}

/** `$10`, `10kr`, `Free`; the lowest and the highest of several. */
export function formatCost(price: Price): string {
  const costs = parseCosts(price.rows);
  const [[, first = ""] = []] = costs;
  if (costs.length === 0) return "";
  if (costs.length === 1 && !isNumeric(first)) return addSymbol(first, price);
  // A text with a comma is no number, so that `1,234.56` is shown as $.56.
  const numbers = costs.filter(([, text]) => isNumeric(text)).sort(([a], [b]) => Number(a) - Number(b));
  const shown = [numbers.at(0), numbers.at(-1)].map((one) => addSymbol(one?.[1] ?? "0", price));
  return shown[0] === shown[1] ? (shown[0] ?? "") : shown.join(" – ");
}

export function formatCostDetails(price: Price): Readonly<Record<string, unknown>> {
  const values = parseCosts(price.rows).map(([key, text]) => (isNumeric(text) ? text : key));
  values.sort((a, b) => (Number(a) || 0) - (Number(b) || 0));
  return { currency_symbol: price.symbol, currency_code: "", currency_position: price.position, values };
}

function addSymbol(text: string, { symbol, position }: Price): string {
  if (text === "0") return "Free";
  if (!isNumeric(text.replace(/[.,]/g, ""))) return text;
  const shownSymbol = symbol === "" ? "$" : symbol;
  return position === "" || position === "prefix" ? `${shownSymbol}${text}` : `${text}${shownSymbol}`;
}

function isNumeric(text: string): boolean {
  return /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text);
}

/** The numbers in the texts, or a text without any, by a key that sorts. Equal keys are one cost. */
function parseCosts(rows: readonly string[]): readonly (readonly [key: string, text: string])[] {
  const found = rows.flatMap((row) => row.match(/[,.]?\d+[,.]?\d*/g) ?? [row]);
  const decimals = found.reduce((most, text) => Math.max(most, countDecimals(text)), 0);
  const costs = new Map<string, string>();
  for (const text of new Set(found)) {
    const numeric = text.replaceAll(",", ".");
    costs.set(isNumeric(numeric) ? Number(numeric).toFixed(decimals).replace(".", "") : slugify(text), text);
  }
  return [...costs];
}

/** At most 20. */
function countDecimals(text: string): number {
  return Math.min(20, /\d[,.](\d+)$/.exec(text)?.[1]?.length ?? 0);
}

/** What is beside the number, if it is the same in all parts of the list; "" otherwise. A comma separates parts. */
function parseSymbol(rows: readonly string[]): string {
  const parts = splitParts(rows);
  const symbols = parseCosts(parts).flatMap(([key, text], index) =>
    /^\d+$/.test(key) ? [(parts[index] ?? "").replaceAll(text, "").trim()] : [],
  );
  return symbols.every((symbol) => symbol === symbols[0]) ? (symbols[0] ?? "") : "";
}

function parsePosition(rows: readonly string[], symbol: string): string {
  if (symbol === "") return "";
  const places = splitParts(rows).map((part) => part.indexOf(symbol));
  const positions = places.filter((place) => place >= 0).map((place) => (place === 0 ? "prefix" : "postfix"));
  return positions.every((position) => position === positions[0]) ? (positions[0] ?? "") : "";
}

/** A text is split at its commas, an array is not. */
function splitParts(rows: readonly string[]): readonly string[] {
  return (rows.length === 1 ? (rows[0] ?? "").split(",") : rows).map((part) => part.trim());
}
