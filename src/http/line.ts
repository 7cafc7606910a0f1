// Text of a server made safe for one line of a terminal.

/** Escape sequences of terminals: titles and links (OSC and its kin, up to their end), colours and cursor moves (CSI), and the short rest. */
const escapeSequences =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Control characters and line separators: where they stood, a space keeps the words apart. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Characters that turn the text around them or can't be seen. */
const invisibleCharacters = /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/g;

/** One line: escape sequences and bidirectional overrides gone, control characters and line ends blanked. Markup and entities stay. */
export function sanitizeLine(text: string): string {
  return text
    .replace(escapeSequences, "")
    .replace(controlCharacters, " ")
    .replace(invisibleCharacters, "")
    .replace(/\p{Surrogate}/gu, "\ufffd");
}
