// Texts in commands that a person may paste from a hint: a server or a title has its word there too.

/** The text as one word of a shell, quoted where it holds anything that a shell could take otherwise. */
export function shellQuote(text: string): string {
  return /^[\w:./%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
