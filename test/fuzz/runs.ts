// How long the fuzz tests go on: a while in `npm test`, twenty times as long and from another seed in `npm run soak`.
import { env } from "node:process";

/** Whether `npm run soak` requested the full size. */
export const isSoakRun = env["CAL_SOAK"] === "1";

/** What fast-check is run with. The short run is the same every time; a long one reports the seed of what it found. */
export function getRunOptions(count: number): { readonly numRuns: number; readonly seed?: number } {
  return isSoakRun ? { numRuns: count * 20 } : { numRuns: count, seed: 20_270_115 };
}
