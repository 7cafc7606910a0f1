// JSON in which big integers stay exact; the only importer of lossless-json, which is slow and so reads only texts that need it.

import { parse } from "lossless-json";
import { hasUnsafeNumber } from "./json.ts";

/** An integer of sixteen digits or more, without fraction or exponent, where a value can stand. */
const bigIntegerPattern = /(?:^|[\s:,[])-?[1-9]\d{15,}(?![\d.eE])/;

/**
 * The value of a JSON text. Integers beyond ±(2^53 - 1) become bigint, every other number a number; of repeated keys the last counts.
 * Throws a SyntaxError where the text is no JSON or nests deeper than 500 levels.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!hasUnsafeNumber(value) || !bigIntegerPattern.test(text)) return value;
  return parse(text, undefined, { parseNumber: parseExactNumber, onDuplicateKey: ({ newValue }) => newValue });
}

function parseExactNumber(digits: string): number | bigint {
  const value = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) ? BigInt(digits) : value;
}
