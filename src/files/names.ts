// The names of record files: made of a slug once, valid on every system, and different without regard to case.

/** Bytes of a file name at most, with its extension. */
const maxBytes = 100;

export const extension = ".yaml";

/** Names of devices on Windows, with any extension. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/i;

interface NamedRecord {
  readonly id: string;
  /** Decoded. "" where the record has none. */
  readonly slug: string;
  /** `YYYY-MM-DD`: comes first in the name. */
  readonly day?: string | undefined;
}

/** The name without its extension. `isTaken` is asked for the name as `foldName` returns it. */
export function createStem({ id, slug, day }: NamedRecord, isTaken: (folded: string) => boolean): string {
  // The marks of a script belong to its letters.
  const text = slug
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+/, "");
  const whole = cut([day, text].filter((part) => part !== undefined && part !== "").join("-"), maxBytes - extension.length);
  if (whole !== "" && !reservedNames.test(whole) && !isTaken(foldName(whole))) return whole;
  const suffix = whole === "" ? id : `-${id}`;
  return `${cut(whole, maxBytes - extension.length - suffix.length)}${suffix}`;
}

/** Two names with the same folded form are one file on some systems. */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

/** At most so many bytes, without a hyphen at either end. */
function cut(text: string, bytes: number): string {
  let end = 0;
  let size = 0;
  for (const letter of text) {
    size += Buffer.byteLength(letter);
    if (size > bytes) break;
    end += letter.length;
  }
  return text.slice(0, end).replace(/^-+|-+$/g, "");
}
