// The young generation of V8's heap, held small in a command that asks for much. Node lets it grow to 32 MB, as for a server that runs for
// days; here an answer is soon forgotten, and a list is read as fast with less.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes that are enough. With half of it pages that were read ahead would be taken for long-lived ones, and their bytes kept for long. */
const enough = 8 * 1024 * 1024;

/** Requests from one look to the next; most commands end before the first. */
const interval = 10;

/** Gives what is to be called at each request. */
export function youngHeapWatch(): () => void {
  let requests = 0;
  let held = false;
  return () => {
    requests += 1;
    if (held || requests % interval > 0 || youngSize() < enough) return;
    held = true;
    setFlagsFromString("--semi-space-growth-factor=1");
  };
}

function youngSize(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
