// Compares a record with the values that were written. It accepts what servers reformat: entities, typographic quotes, paragraphs,
// and links as objects.

/**
 * The expected values, by field name. A RegExp is tested on the plain text. A name that ends in `?` is compared only if the record has the field.
 * @typedef {Readonly<Record<string, string | boolean | RegExp | readonly string[]>>} ExpectedFields
 */

/** @type {Readonly<Record<string, string>>} */
const namedEntities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", hellip: "…", ndash: "–" };

/**
 * One message for each field that differs.
 * @param {ExpectedFields} expectedFields
 * @param {Readonly<Record<string, unknown>>} record
 * @returns {string[]}
 */
export function findDifferences(expectedFields, record) {
  return Object.entries(expectedFields).flatMap(([key, expected]) => {
    const field = key.replace("?", "");
    const actual = record[field];
    if ((key.endsWith("?") && actual === undefined) || isEquivalent(expected, actual)) return [];
    return [`${field} is ${formatValue(actual)}, not ${formatValue(expected)}`];
  });
}

/**
 * @param {ExpectedFields[string]} expected
 * @param {unknown} actual
 * @returns {boolean}
 */
function isEquivalent(expected, actual) {
  if (Array.isArray(expected)) return [...extractIds(actual)].sort().join() === [...expected].sort().join();
  if (expected instanceof RegExp) return expected.test(extractText(actual));
  // The interface declares some booleans as strings. Servers return both types.
  if (typeof expected === "boolean") return String(actual ?? false) === String(expected);
  return extractText(actual) === extractText(expected) && extractElements(actual).join() === extractElements(expected).join();
}

/**
 * The ids of linked records. Servers return one id, one object, a list of either, or an empty value.
 * @param {unknown} value
 * @returns {string[]}
 */
function extractIds(value) {
  if (typeof value === "number" || typeof value === "string") return [String(value)].filter((id) => id !== "" && id !== "0");
  if (Array.isArray(value)) return value.flatMap(extractIds);
  return typeof value === "object" && value !== null && "id" in value ? [String(value.id)] : [];
}

/**
 * The text without HTML, with normalized quotes and spaces; "" if the field is not set.
 * @param {unknown} value
 */
function extractText(value) {
  const text = value === undefined || value === null || value === false ? "" : String(value);
  return decodeEntities(text.replace(/<[^>]*>/g, " "))
    .replace(/[“”″]/g, '"')
    .replace(/[‘’′]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}

/** @param {string} text */
function decodeEntities(text) {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return namedEntities[name] ?? entity;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/**
 * The names of the HTML elements, except `p` and `br`: servers add these.
 * @param {unknown} value
 */
function extractElements(value) {
  return [...String(value ?? "").matchAll(/<([a-z]\w*)/gi)]
    .map(([, name = ""]) => name.toLowerCase())
    .filter((name) => name !== "p" && name !== "br");
}

/** @param {unknown} value */
function formatValue(value) {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value)?.slice(0, 120) ?? "absent");
}
