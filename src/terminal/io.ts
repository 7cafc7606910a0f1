// The three standard streams as values, so that a test can stand in for the terminal.

/** A stream that text goes out on. */
export interface Output {
  /** Resolves when the text is taken; waits where the reader is slow. A closed pipe is no error: `closed` turns true. */
  write(text: string): Promise<void>;
  readonly isTTY: boolean;
  /** Width in columns; undefined where it is not a terminal. */
  readonly columns: number | undefined;
  readonly closed: boolean;
  /** Another program reads it. */
  readonly isPipe?: true;
}

/** The stream that text comes in on. */
export interface Input {
  readonly isTTY: boolean;
  /** Everything up to its end, as UTF-8. */
  text(): Promise<string>;
}

/** All three. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
}
