// Slugs as WordPress makes them: accents dropped, other scripts kept percent-encoded in lower case.

const transliterations: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", œ: "oe", ł: "l", đ: "d", þ: "th", ð: "d", ı: "i" };

/** The slug of a title, or the canonical form of a slug that was sent; "" where nothing is left. */
export function slugify(text: string): string {
  const plain = text
    .replace(/<[^>]*>/g, "")
    .replace(/&(?:[a-z]+|#\d+);/gi, "")
    .replace(/\p{Surrogate}/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replace(/[ßæøœłđþðı]/g, (letter) => transliterations[letter] ?? letter)
    .replace(/[\s./\u00a0\u2013\u2014]+/g, "-")
    .replace(/[\u2018\u2019\u201c\u201d\u00a1\u00bf]/g, "")
    .replace(/[\0-\x7f]/g, (character) => (/[a-z0-9_-]/.test(character) ? character : ""));
  const encoded = [...plain].map((character) => (character > "\x7f" ? encodeURIComponent(character).toLowerCase() : character));
  return truncateSlug(encoded, 200).replace(/-+/g, "-").replace(/^-|-$/g, "");
}

/** Whole characters only: half a percent-encoded one would be no slug. */
function truncateSlug(characters: readonly string[], length: number): string {
  let text = "";
  for (const character of characters) {
    if (text.length + character.length > length) break;
    text += character;
  }
  return text;
}

/** The slug itself, or the first of `-2`, `-3`... that is not taken. */
export function createUniqueSlug(wanted: string, taken: ReadonlySet<string>): string {
  let slug = wanted;
  for (let number = 2; taken.has(slug); number += 1) slug = `${wanted}-${number}`;
  return slug;
}
