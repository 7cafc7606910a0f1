// Check: this machine's clock and the server's agree; tokens live by both.
import type { Check, Finding } from "./finding.ts";
import type { RestRootResponse } from "./front.ts";
import { CheckSkippedError } from "./unready.ts";

/** Seconds from which a difference is worth a word, and from which tokens are taken for expired or not yet valid. */
const warningSkewSeconds = 30;
const failureSkewSeconds = 300;

/** The embedded calendar has this machine's clock. */
export const clockCheck: Check = {
  name: "clock",
  run: async ({ requireRestRoot, settings, context }) => {
    const front = await requireRestRoot();
    if ((await settings()).sandbox.value) throw new CheckSkippedError("the embedded calendar has the same clock");
    return evaluateSkew(getClockSkew(front), context.machine.platform);
  },
};

/** Seconds that the server is ahead of us. HTTP tells whole seconds, and a cache tells how old its answer is. */
function getClockSkew({ headers, requestedAt, respondedAt }: RestRootResponse): number {
  const date = Date.parse(headers["date"] ?? "");
  if (Number.isNaN(date)) throw new CheckSkippedError("the server does not tell its time");
  const age = Number(headers["age"] ?? 0);
  const server = date / 1000 + (Number.isFinite(age) ? age : 0);
  return Math.round(server - (requestedAt + respondedAt) / 2000);
}

const clockSyncCommands: Readonly<Record<string, string>> = {
  linux: "sudo timedatectl set-ntp true",
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
};

function evaluateSkew(skew: number, platform: string): Finding {
  const size = Math.abs(skew);
  const found = size <= 1 ? "the same as the server's" : `${size} s ${skew > 0 ? "behind" : "ahead of"} the server's`;
  if (size < warningSkewSeconds) return { state: "ok", found };
  const advice = `${clockSyncCommands[platform] ?? "set this machine's clock"}; or it is the server's clock that is wrong`;
  return {
    state: size < failureSkewSeconds ? "warning" : "failure",
    found: `${found}: tokens seem to expire too ${skew > 0 ? "late" : "early"}`,
    advice,
  };
}
