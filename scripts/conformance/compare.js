// Whether a record shows what was written, knowing what servers reformat: entities, typographic quotes, paragraphs, links as objects.

/**
 * What a record must show, by field. A RegExp is tried on the text; a name that ends in `?` counts only where the record has the field.
 * @typedef {Readonly<Record<string, string | boolean | RegExp | readonly string[]>>} Expected
 */

/** @type {Readonly<Record<string, string>>} */
const named = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", hellip: "…", ndash: "–" };

/**
 * Every field that is not as expected, in words.
 * @param {Expected} expected
 * @param {Readonly<Record<string, unknown>>} record
 * @returns {string[]}
 */
export function differences(expected, record) {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const field = key.replace("?", "");
    const found = record[field];
    if ((key.endsWith("?") && found === undefined) || shows(wanted, found)) return [];
    return [`${field} is ${told(found)}, not ${told(wanted)}`];
  });
}

/**
 * @param {Expected[string]} wanted
 * @param {unknown} found
 * @returns {boolean}
 */
function shows(wanted, found) {
  if (Array.isArray(wanted)) return [...idsOf(found)].sort().join() === [...wanted].sort().join();
  if (wanted instanceof RegExp) return wanted.test(plain(found));
  // The interface types some truths as strings, and servers answer either.
  if (typeof wanted === "boolean") return String(found ?? false) === String(wanted);
  return plain(found) === plain(wanted) && marksOf(found).join() === marksOf(wanted).join();
}

/**
 * The ids of linked records: returned as ids, as objects, as one object, or as an empty list of any kind.
 * @param {unknown} value
 * @returns {string[]}
 */
function idsOf(value) {
  if (typeof value === "number" || typeof value === "string") return [String(value)].filter((id) => id !== "" && id !== "0");
  if (Array.isArray(value)) return value.flatMap(idsOf);
  return typeof value === "object" && value !== null && "id" in value ? [String(value.id)] : [];
}

/**
 * The text that a reader would see; "" for what is not set.
 * @param {unknown} value
 */
function plain(value) {
  const text = value === undefined || value === null || value === false ? "" : String(value);
  return decoded(text.replace(/<[^>]*>/g, " "))
    .replace(/[“”″]/g, '"')
    .replace(/[‘’′]/g, "'")
    .replace(/\s+/g, " ")
    .trim()
    .normalize("NFC");
}

/** @param {string} text */
function decoded(text) {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/**
 * The HTML elements in a text, without the paragraphs that servers add by themselves.
 * @param {unknown} value
 */
function marksOf(value) {
  return [...String(value ?? "").matchAll(/<([a-z]\w*)/gi)]
    .map(([, name = ""]) => name.toLowerCase())
    .filter((name) => name !== "p" && name !== "br");
}

/** @param {unknown} value */
function told(value) {
  return value instanceof RegExp ? String(value) : (JSON.stringify(value)?.slice(0, 120) ?? "absent");
}
