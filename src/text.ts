// Text for a terminal and a shell: control characters removed, and quoting.
/** Escape sequences of terminals: OSC and other strings (titles, links) up to their end, CSI (colours, cursor), and the short ones. */
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Control characters and line separators. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Bidirectional controls and characters of no width. */
const invisibleCharacters = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/g;

/** One line that is safe on a terminal: escape sequences and bidirectional controls removed, control characters replaced by a space. Markup and entities stay. */
export function sanitizeLine(text: string): string {
  return text
    .replace(escapeSequences, "")
    .replace(controlCharacters, " ")
    .replace(invisibleCharacters, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
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
