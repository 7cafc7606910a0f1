// The terminal at our end, where another program may have it by then: a pager that we write to, or whatever the user began meanwhile.
import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";
import { getDescriptorKind } from "./descriptor.ts";

/**
 * Gives the terminal up, as the very last act of a process that has not changed its modes. Node would put them back as it found them when it
 * started, under a pager that reads keys since; what it does not hold any more it leaves alone. Nothing can be written to it after this.
 */
export function releaseTerminal(platform: string): void {
  if (platform === "win32") return;
  for (const descriptor of [0, 1, 2]) {
    // To ask Node for a terminal takes it 1 ms at first.
    if (getDescriptorKind(descriptor) !== "unknown" || !isatty(descriptor)) continue;
    closeSync(descriptor);
    // The lowest free number is taken, so none of Node's own files can come to stand there.
    openSync("/dev/null", "r+");
  }
}
