// Character references of HTML (`&#038;`, `&amp;`); the only importer of the package entities.
import { decodeHTMLStrict } from "entities/decode";

/** The text with every character reference that ends in a semicolon decoded, once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? decodeHTMLStrict(text) : text;
}
