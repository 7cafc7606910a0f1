// Shows long output on a terminal in a pager. What fits on the screen is printed as it is.
import type { Output } from "./io.ts";

/** A pager that runs. */
export interface PagerProcess {
  /** Resolves when the pager has taken the text, or has ended. */
  write(text: string): Promise<void>;
  /** Tells the pager that no more text comes. */
  end(): void;
  /** Resolves when the pager has ended; false where it could not be started. */
  readonly ended: Promise<boolean>;
}

/** `-F` ends less where the text fits on one screen, `-R` shows colours, `-X` leaves the text on the screen. */
const defaultPager = "less -FRX";

/** The command line of the pager: `setting` is that of cal, `variable` is PAGER. Undefined where there is to be none. */
export function choosePager(setting: string | undefined, variable: string | undefined, platform: string): string | undefined {
  const command = (setting ?? (variable || (platform === "win32" ? "" : defaultPager))).trim();
  return command === "" || command === "cat" ? undefined : command;
}

/**
 * Writes through a pager that `open` starts when the text no longer fits on the terminal; `open` returns undefined where there is none.
 * Resolves when the pager has ended, also where the user leaves it before all is written: nothing more is waited for then.
 */
export async function writeThroughPager(
  terminal: Output,
  open: () => Promise<PagerProcess | undefined>,
  write: (output: Output) => Promise<void>,
): Promise<void> {
  const texts: string[] = [];
  let rows = 0;
  let pager: PagerProcess | undefined;
  let isDirect = false;
  let hasEnded = false;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const output: Output = {
    isTTY: true,
    get columns() {
      return terminal.columns;
    },
    get rows() {
      return terminal.rows;
    },
    get closed() {
      return hasEnded || terminal.closed;
    },
    write: async (text) => {
      if (isDirect) return terminal.write(text);
      texts.push(text);
      if (pager !== undefined) return pager.write(text);
      rows += countRows(text, terminal.columns ?? 80);
      if (rows < (terminal.rows ?? Number.POSITIVE_INFINITY)) return;
      pager = await open();
      if (pager === undefined) {
        isDirect = true;
        return terminal.write(texts.splice(0).join(""));
      }
      void pager.ended.then(() => {
        hasEnded = true;
        leave();
      });
      await pager.write(texts.join(""));
    },
  };
  const writing = write(output);
  // It may fail after the user has left the pager.
  writing.catch(() => undefined);
  try {
    await Promise.race([writing, left]);
  } finally {
    pager?.end();
    const isShown = pager !== undefined && (await pager.ended);
    if (!isShown && texts.length > 0) await terminal.write(texts.join(""));
  }
}

const escapeSequences = /\u001b\[[\d;]*[A-Za-z]/g;

/** The rows that a text takes, about: a wide character is counted as one column. */
function countRows(text: string, columns: number): number {
  return text
    .replace(/\n$/, "")
    .split("\n")
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.replace(escapeSequences, "").length / columns)), 0);
}
