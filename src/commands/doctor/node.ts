// Check: the Node that runs this program.
import type { Check } from "./finding.ts";

/** The oldest version that the program is made for (package.json, engines). */
const minNodeVersion = "20.18.1";

/** Too old a Node is normally refused before the program is loaded. */
export const nodeCheck: Check = {
  name: "node",
  run: async ({ context }) => {
    const { nodeVersion: version, platform } = context.machine;
    const found = `Node ${version} on ${platform}`;
    if (!isOlder(version, minNodeVersion)) return { state: "ok", found };
    return {
      state: "failure",
      found: `${found}; at least ${minNodeVersion} is needed`,
      advice: "install a newer Node: https://nodejs.org/en/download",
    };
  },
};

function isOlder(version: string, than: string): boolean {
  const wanted = than.split(".").map(Number);
  const given = version.split(".").map((part) => Number.parseInt(part, 10));
  const at = wanted.findIndex((part, index) => given[index] !== part);
  return at !== -1 && (given[at] ?? 0) < (wanted[at] ?? 0);
}
