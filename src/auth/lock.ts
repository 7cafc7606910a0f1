// One at a time across processes, with proof of life: a holder that died gives way, and nobody takes what a living one holds.
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CalError, codeOf, messageOf } from "../errors.ts";
import type { Clock } from "./parts.ts";

/** Does some work while no other process does work of the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Milliseconds: how often a holder shows that it lives, how long silence may last, how often and how long others ask. */
export interface LockTimes {
  readonly beat: number;
  readonly silence: number;
  readonly ask: number;
  readonly patience: number;
}

const usualTimes: LockTimes = { beat: 1000, silence: 8000, ask: 40, patience: 60_000 };

/**
 * Locks as files in a folder: `<name>.<turn>`. A turn is taken by creating the file of the next number, which only one process can;
 * it is given back by writing "free" into it. The file of the last turn always stays, so that a number is never used twice.
 * No clock of another machine is read: a waiter sees a holder's file change, or not.
 */
export function createLock(folder: string, clock: Clock, times: LockTimes = usualTimes): Lock {
  return async (name, work) => {
    const file = await taken(folder, name, clock, times);
    const mark = randomBytes(6).toString("hex");
    let beats = 0;
    let beat: Promise<void> = Promise.resolve();
    const heart = setInterval(() => {
      // A beat that fails shows no life; nothing else can be done about it here.
      beat = beat.then(() => writeFile(file, `${mark} ${++beats}`)).catch(() => undefined);
    }, times.beat);
    heart.unref();
    try {
      return await work();
    } finally {
      clearInterval(heart);
      await beat;
      await writeFile(file, "free").catch(() => undefined);
    }
  };
}

async function taken(folder: string, name: string, clock: Clock, times: LockTimes): Promise<string> {
  const prefix = `${encodeURIComponent(name)}.`;
  const path = (turn: number): string => join(folder, `${prefix}${turn}`);
  const watch: Watch = { sight: "", since: 0 };
  // Time is counted by our own sleep: the clock may be set while we wait, and then nobody has been silent for an hour.
  let waited = 0;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (;;) {
      const turns = await turnsOf(folder, prefix);
      const last = turns.at(-1) ?? 0;
      if ((last === 0 || (await isOver(path(last), watch, waited, times))) && (await claimed(folder, prefix, last + 1))) {
        await Promise.all(turns.map((turn) => unlink(path(turn)).catch(() => undefined)));
        return path(last + 1);
      }
      if (waited > times.patience) throw busy(path(last));
      await clock.sleep(times.ask);
      waited += times.ask;
    }
  } catch (error) {
    if (error instanceof CalError) throw error;
    throw new CalError("local", `cannot lock in ${folder}: ${messageOf(error)}`, {
      cause: error,
      hint: "set CAL_STATE_DIR to a folder that can be written",
    });
  }
}

interface Watch {
  sight: string;
  /** Milliseconds of our own waiting. */
  since: number;
}

/** Whether a turn is given back, or its holder has shown no life for too long. */
async function isOver(path: string, watch: Watch, waited: number, times: LockTimes): Promise<boolean> {
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  // Gone: a later turn was taken meanwhile, so look again.
  if (content === undefined) return false;
  if (content === "free") return true;
  const sight = `${path} ${content}`;
  if (watch.sight !== sight) {
    watch.sight = sight;
    watch.since = waited;
    return false;
  }
  return waited - watch.since > times.silence;
}

/** Creates the file of a turn. Whoever comes so late that the number is used up finds a higher one and gives way. */
async function claimed(folder: string, prefix: string, turn: number): Promise<boolean> {
  const path = join(folder, `${prefix}${turn}`);
  try {
    await writeFile(path, "held", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // On a full disk the file is there, and empty.
    await unlink(path).catch(() => undefined);
    throw error;
  }
  const last = (await turnsOf(folder, prefix)).at(-1) ?? 0;
  if (last === turn) return true;
  await unlink(path).catch(() => undefined);
  return false;
}

async function turnsOf(folder: string, prefix: string): Promise<readonly number[]> {
  const numbers = (await readdir(folder)).filter((file) => file.startsWith(prefix)).map((file) => Number(file.slice(prefix.length)));
  return numbers.filter((number) => Number.isSafeInteger(number) && number > 0).sort((a, b) => a - b);
}

function busy(path: string): CalError {
  return new CalError("unavailable", `another cal has held ${path} for a minute`, { hint: "wait for it, or end it and try again" });
}
