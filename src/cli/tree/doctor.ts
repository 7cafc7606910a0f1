// `cal doctor` as data.
import type { CommandSpec } from "../../commands/command.ts";

/** The command that looks for what is wrong. */
export const doctorCommand: CommandSpec = {
  path: ["doctor"],
  summary: "Look for what is wrong, from this machine to the site, and say what to do",
  details:
    "Checks Node, the name on PATH, the configuration, the keychain, the connection, the clocks, the interface and its documentation, the largest page, the time zones, and the login. " +
    "Nothing is written to the site. A request gets 5 seconds and is not repeated, unless the settings say otherwise. " +
    "The exit code is 9 where a check fails; what is skipped can't be checked, and says why.",
  args: [],
  flags: [{ name: "strict", type: "boolean", meaning: "Exit code 9 for warnings too" }],
  settingDefaults: { timeout: 5000, retries: 0 },
  examples: [
    { command: "cal doctor", does: "Everything that commands depend on" },
    { command: "cal doctor --json | jq -r '.[] | select(.advice) | .advice'", does: "What to do, a line each" },
  ],
  load: async () => (await import("../../commands/doctor/doctor.ts")).doctor,
};
