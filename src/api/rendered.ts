// What is left of a text when a server has rendered it: words, numbers, letters. Formatting is taken off both sides before they are compared.
import { toPlainText } from "../http/clean.ts";
import { decodeEntities } from "../http/entities.ts";
import { decodeSlug } from "./address.ts";
import { valueToText } from "./record.ts";

/** Letters, digits and pictures only: what rendering, typographic quotes, tags, shortcodes and white space leave alone. */
export function normalizeWords(text: string): string {
  const bare = toPlainText(decodeEntities(text).replace(/\[\/?[a-z][^\]]*\]/gi, " ")).normalize("NFKC");
  // "2x4" is set as "2×4".
  return bare
    .replaceAll("×", "x")
    .replace(/[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}]+/gu, "")
    .toLowerCase();
}

const embedTagPattern = /<(audio|button|canvas|embed|form|iframe|img|input|object|script|source|style|svg|video)\b/gi;

/** Whether something is gone that is no word and that no rendering takes away: a backslash, or what a page embeds. Comments are taken away. */
export function hasLostMarkup(sent: string, kept: string): boolean {
  const bare = decodeEntities(sent).replace(/<!--.*?-->/gs, "");
  const slashes = (text: string): number => text.split("\\").length;
  const embedded = (text: string): Set<string> => new Set(text.match(embedTagPattern)?.map((tag) => tag.toLowerCase()));
  const left = embedded(kept);
  return slashes(bare) > slashes(decodeEntities(kept)) || [...embedded(bare)].some((tag) => !left.has(tag));
}

/** The letters and digits of a slug without their accents, however it is encoded. */
export function normalizeSlugLetters(value: unknown): string {
  return decodeSlug(valueToText(value))
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

/** Whether a price holds the same numbers, in any currency and form; nothing to pay may be told in a word (`Free`). */
export function hasSamePrices(sent: unknown, kept: unknown): boolean {
  const [left, right] = [parseNumbers(sent), parseNumbers(kept)];
  if (right.length === 0 && left.every((number) => number === 0))
    return left.length === 0 ? normalizeWords(valueToText(sent)) === normalizeWords(valueToText(kept)) : valueToText(kept) !== "";
  return left.join() === right.join();
}

/** Whether what stands beside the numbers of a price, as its currency does, came through. Numbers alone are in the currency of the site. */
export function hasSameCurrency(sent: unknown, kept: unknown): boolean {
  const text = valueToText(kept).toLowerCase();
  const signs =
    valueToText(sent)
      .toLowerCase()
      .match(/\p{Sc}|\p{L}+/gu) ?? [];
  return parseNumbers(kept).length === 0 || signs.every((sign) => text.includes(sign));
}

function parseNumbers(value: unknown): readonly number[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => valueToText(item).match(/\d+(?:[.,]\d+)*/g) ?? []).map((text) => Number(text.replaceAll(",", "")));
}
