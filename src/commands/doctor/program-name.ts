// Check: what the shell starts for `cal`, which is also the name of the month printer of Unix.
import type { Check, Finding } from "./finding.ts";
import { findPrograms, type Program, type ProgramLookup } from "./programs.ts";

/** Whatever wins, `calctl` is this program and nothing else. */
export const programNameCheck: Check = {
  name: "path",
  run: async ({ context: { env, machine } }) => checkProgramName({ env, platform: machine.platform, program: machine.program }),
};

/** What PATH has under both names. */
export async function checkProgramName(place: ProgramLookup): Promise<Finding> {
  const [cals, free] = await Promise.all([findPrograms("cal", place), findPrograms("calctl", place)]);
  const [first, ...others] = cals;
  const advice = free.some(({ isThisProgram }) => isThisProgram)
    ? "use the name that only this program has: calctl"
    : "npm install --global calctl, then use the name that only this program has: calctl";
  if (first === undefined) return { state: "ok", found: "no cal on PATH: there is nothing to be confused with" };
  const foreign = others.filter(({ isThisProgram }) => !isThisProgram);
  if (first.isThisProgram) {
    const after = foreign.length === 0 ? "" : `; it hides ${formatPaths(foreign)}`;
    return { state: "ok", found: `cal is this program: ${first.path}${after}` };
  }
  const own = others.find((program) => program.isThisProgram);
  const hidden = own === undefined ? "this program is not on PATH as cal" : `it hides this program: ${own.path}`;
  return {
    state: "warning",
    found: `cal is another program${first.isScript ? "" : ", probably the month printer"}: ${first.path}; ${hidden}`,
    advice,
  };
}

function formatPaths(programs: readonly Program[]): string {
  return programs.map(({ path, isScript }) => (isScript ? path : `${path} (probably the month printer)`)).join(", ");
}
