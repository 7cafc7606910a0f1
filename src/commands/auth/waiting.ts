// Waiting for the browser at a terminal.
import type { CallbackServer } from "../../auth/browser/catcher.ts";
import { findInteractiveUser } from "../person.ts";
import type { AuthContext } from "./auth-context.ts";

/** Opens an address, and says so where no browser could be started. */
export async function openUrlInBrowser(context: AuthContext, address: string): Promise<void> {
  if (!(await context.openBrowser(address))) await context.notice("no browser could be started here");
}

/** What a person may paste instead of waiting: the question, and how the answer is read; undefined asks again. */
export interface PasteOptions<T> {
  readonly message: string;
  readonly parse: (pasted: string) => T | undefined;
}

/**
 * What the browser hands over, or what is pasted meanwhile. The wait is a hidden question, so that nothing typed shows on the screen.
 * Rejects as the catcher does, and with `interrupted` on Ctrl-C.
 */
export async function waitForCallbackOrPaste<T>({ result }: CallbackServer<T>, paste: PasteOptions<T>, context: AuthContext): Promise<T> {
  const prompt = await findInteractiveUser(context);
  if (prompt === undefined) return result;
  const over = new AbortController();
  const pasted = async (): Promise<T> => {
    for (;;) {
      const value = paste.parse(await prompt.secret(paste.message, over.signal));
      if (value !== undefined) return value;
    }
  };
  const asking = pasted();
  try {
    return await Promise.race([result, asking]);
  } finally {
    over.abort();
    // The terminal is given back before anything else is written.
    await asking.catch(() => undefined);
  }
}
