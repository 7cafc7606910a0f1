// The ledger of a command. With `--dry-run` and `--plan-out` it is only read.
import {
  type Ledger,
  type LedgerEntry,
  type LedgerOptions,
  type OpenLedger,
  openLedger,
  readLedger,
  withLedger,
} from "../changes/ledger.ts";
import type { Context } from "../context.ts";
import type { LockOptions } from "../lock.ts";

type Entries = ReadonlyMap<string, LedgerEntry>;

export function createLedgerLock({ clock, machine }: Context): LockOptions {
  return { sleep: (ms) => clock.sleep(ms), atSignal: (act) => machine.atSignal(act) };
}

/** Does the work with the ledger; it gets none where nothing is written. */
export async function useLedger<T>(
  { globals }: Context,
  options: LedgerOptions,
  work: (entries: Entries, ledger: Ledger | undefined) => Promise<T>,
): Promise<T> {
  if (globals["dry-run"] === true) return work(readLedger(options.path, options.site), undefined);
  return withLedger(options, (ledger) => work(ledger.entries, ledger));
}

/**
 * The same for a plan: the ledger stays open until the last result has come, and what notes the results closes it. Work that fails closes it
 * at once. `options` are absent where there is no ledger.
 */
export async function planWithLedger<T>(
  { globals }: Context,
  options: LedgerOptions | undefined,
  work: (entries: Entries, open: OpenLedger | undefined) => Promise<T>,
): Promise<T> {
  if (options === undefined) return work(new Map(), undefined);
  if (globals["dry-run"] === true) return work(readLedger(options.path, options.site), undefined);
  const open = await openLedger(options);
  try {
    return await work(open.ledger.entries, open);
  } catch (error) {
    await open.close();
    throw error;
  }
}
