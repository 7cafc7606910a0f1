// Text for a terminal and a shell: control characters removed, and quoting.
/** Escape sequences of terminals: OSC and other strings (titles, links) up to their end, CSI (colours, cursor), and the short ones. */
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Control characters and line separators. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Bidirectional controls and characters that are not seen. What scripts and emoji need stays: joiners and variation selectors. */
const invisible = String.raw`\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}`;

/** The flag of a part of a country: a black flag, its code as tag characters, and their end. */
const tagFlag = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}`;

const invisibleCharacters = new RegExp(`(${tagFlag})|[${invisible}]`, "gu");

/** What a terminal obeys or does not show. */
const unsafeCharacters = new RegExp(String.raw`(${tagFlag})|[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Surrogate}${invisible}]`, "gu");

/** What needs no change. */
const printableAscii = /^[ -~]*$/;

/** One line that is safe on a terminal: escape sequences and invisible characters removed, control characters replaced by a space. Markup and entities stay. */
export function sanitizeLine(text: string): string {
  if (printableAscii.test(text)) return text;
  return text
    .replace(escapeSequences, "")
    .replace(controlCharacters, " ")
    .replace(invisibleCharacters, "$1")
    .replaceAll("\u2800", " ")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The text with control and invisible characters as escapes of JSON (`\u001b`), safe on a terminal; line ends stay where `keepLines` says so. */
export function escapeControls(text: string, { keepLines = false } = {}): string {
  return text.replace(unsafeCharacters, (letter, flag: string | undefined) => {
    if (flag !== undefined || (keepLines && letter === "\n")) return letter;
    return letter.split("").reduce((escapes, unit) => `${escapes}\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`, "");
  });
}

/**
 * The text in a normal form of Unicode, for comparisons. More than 30 marks in a row, the limit of stream-safe text (UAX #15), stay as they are,
 * because the time to sort a run grows with the square of its length.
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  const parts = text.split(/(\p{M}{31,})/u);
  return parts.map((part, index) => (index % 2 === 0 ? part.normalize(form) : part)).join("");
}

/** The text as one word of a shell, for commands in hints: a title or a server's text must not run as a command when it is pasted. */
export function shellQuote(text: string): string {
  return /^[\w:./%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Marks a space at which a message is not wrapped. A noncharacter of Unicode, so that no text of a server contains it. */
const unbreakableSpace = "\ufdd0";

/** A command inside a message, in one piece also where the terminal is narrow. What writes messages calls `restoreSpaces`. */
export function unbreakable(command: string): string {
  return command.replaceAll(" ", unbreakableSpace);
}

/** The text with each command that `unbreakable` marked replaced. */
export function replaceCommands(text: string, replace: (command: string) => string): string {
  return text.replace(/\bcal\ufdd0[^\s`]*/g, (command) => unbreakable(replace(restoreSpaces(command))));
}

/** The text with ordinary spaces for those of `unbreakable`. */
export function restoreSpaces(text: string): string {
  return text.replaceAll(unbreakableSpace, " ");
}
