// Check: this machine's clock and the server's agree; tokens live by both.
import type { Check, Finding } from "./finding.ts";
import type { Front } from "./front.ts";
import { Unready } from "./unready.ts";

/** Seconds from which a difference is worth a word, and from which tokens are taken for expired or not yet valid. */
const noticed = 30;
const harmful = 300;

/** The embedded calendar has this machine's clock. */
export const clock: Check = {
  name: "clock",
  run: async ({ reached, settings, context }) => {
    const front = await reached();
    if ((await settings()).sandbox.value) throw new Unready("the embedded calendar has the same clock");
    return judged(skewOf(front), context.machine.platform);
  },
};

/** Seconds that the server is ahead of us. HTTP tells whole seconds, and a cache tells how old its answer is. */
function skewOf({ headers, asked, answered }: Front): number {
  const date = Date.parse(headers["date"] ?? "");
  if (Number.isNaN(date)) throw new Unready("the server does not tell its time");
  const age = Number(headers["age"] ?? 0);
  const server = date / 1000 + (Number.isFinite(age) ? age : 0);
  return Math.round(server - (asked + answered) / 2000);
}

const commands: Readonly<Record<string, string>> = {
  linux: "sudo timedatectl set-ntp true",
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
};

function judged(skew: number, platform: string): Finding {
  const size = Math.abs(skew);
  const found = size <= 1 ? "the same as the server's" : `${size} s ${skew > 0 ? "behind" : "ahead of"} the server's`;
  if (size < noticed) return { state: "ok", found };
  const advice = `${commands[platform] ?? "set this machine's clock"}; or it is the server's clock that is wrong`;
  return {
    state: size < harmful ? "warning" : "failure",
    found: `${found}: tokens seem to expire too ${skew > 0 ? "late" : "early"}`,
    advice,
  };
}
