// Check: what the shell starts for `cal`, which is also the name of the month printer of Unix.
import type { Check, Finding } from "./finding.ts";
import { type Place, type Program, programsNamed } from "./programs.ts";

/** Whatever wins, `calctl` is this program and nothing else. */
export const programName: Check = {
  name: "path",
  run: async ({ context: { env, machine } }) => nameFinding({ env, platform: machine.platform, program: machine.program }),
};

/** What PATH has under both names. */
export async function nameFinding(place: Place): Promise<Finding> {
  const [cals, free] = await Promise.all([programsNamed("cal", place), programsNamed("calctl", place)]);
  const [first, ...others] = cals;
  const advice = free.some(({ own }) => own)
    ? "use the name that only this program has: calctl"
    : "npm install --global calctl, then use the name that only this program has: calctl";
  if (first === undefined) return { state: "ok", found: "no cal on PATH: there is nothing to be confused with" };
  const foreign = others.filter(({ own }) => !own);
  if (first.own) {
    const after = foreign.length === 0 ? "" : `; it hides ${paths(foreign)}`;
    return { state: "ok", found: `cal is this program: ${first.path}${after}` };
  }
  const own = others.find((program) => program.own);
  const hidden = own === undefined ? "this program is not on PATH as cal" : `it hides this program: ${own.path}`;
  return {
    state: "warning",
    found: `cal is another program${first.script ? "" : ", probably the month printer"}: ${first.path}; ${hidden}`,
    advice,
  };
}

function paths(programs: readonly Program[]): string {
  return programs.map(({ path, script }) => (script ? path : `${path} (probably the month printer)`)).join(", ");
}
