// What questions are drawn on: the terminal, with the last picture remembered.
import { Writable } from "node:stream";

/** A stream to draw on. */
export interface RedrawableOutput {
  readonly output: Writable;
  /** Draws the last picture again, from the line where the cursor is on. */
  redraw(): void;
}

/** What a picture begins with: moves to the picture before it, and its erasure. */
const erasePrefixPattern = /^(?:\u001b\[\d*[A-K])+/;

/** Draws on the terminal; each write is a picture or moves the cursor in it. */
export function createRedrawableOutput(terminal: NodeJS.WritableStream & { readonly columns?: number }): RedrawableOutput {
  let picture = "";
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: unknown, _encoding, done) => {
      const text = String(chunk);
      picture = text.replace(erasePrefixPattern, "") || picture;
      terminal.write(text);
      done();
    },
  });
  // Lines are broken by it, also after the window has changed.
  Object.defineProperty(output, "columns", { get: () => terminal.columns });
  return { output, redraw: () => void terminal.write(picture) };
}
