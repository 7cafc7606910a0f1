// The young generation of V8's heap, held small in a command that asks for much. Node lets it grow to 32 MB, as for a server that runs for
// days; here an answer is soon forgotten, and a list is read as fast with less.
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Bytes that are enough. With half of it pages that were read ahead would be taken for long-lived ones, and their bytes kept for long. */
const enough = 8 * 1024 * 1024;

/** Requests from one look to the next; most commands end before the first. */
const interval = 10;

/** Looks at the heap. */
interface YoungHeap {
  /** To be called at each request. */
  readonly watch: () => void;
  /** Lets it grow again: V8 keeps no compiled code for the next start where a flag differs from its default. */
  readonly release: () => void;
}

/** A heap that is held once it is large enough. */
export function youngHeap(): YoungHeap {
  let requests = 0;
  let held = false;
  return {
    watch: () => {
      requests += 1;
      if (held || requests % interval > 0 || youngSize() < enough) return;
      held = true;
      setFlagsFromString("--semi-space-growth-factor=1");
    },
    release: () => {
      if (held) setFlagsFromString("--semi-space-growth-factor=2");
      held = false;
    },
  };
}

function youngSize(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
