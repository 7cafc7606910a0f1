// The command-line flags, and the confirmation before the run writes to the site.
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/**
 * @typedef {object} Options
 * @property {string} baseUrl REST root of the site
 * @property {string | undefined} namespace
 * @property {string} program path of the cal program
 * @property {boolean} yes
 */

/** What `--help` prints. */
export const usageText = `npm run conformance -- --base-url <url> [--namespace <path>] [--program <file>] --yes

Makes, reads, changes and deletes about 15 records on a live site, private and marked, and tells what passed.
Credentials come from the environment, as cal takes them: CAL_TOKEN, or CAL_USERNAME and CAL_PASSWORD.`;

/**
 * Returns a problem instead of throwing.
 * @param {string[]} args
 * @returns {Options | { help: true } | { problem: string }}
 */
export function parseOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        "base-url": { type: "string" },
        namespace: { type: "string" },
        program: { type: "string", default: fileURLToPath(new URL("../../bin/cal.js", import.meta.url)) },
        yes: { type: "boolean", short: "y", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { help: true };
    if (values["base-url"] === undefined) return { problem: `which site?\n${usageText}` };
    return { baseUrl: values["base-url"], namespace: values.namespace, program: values.program, yes: values.yes };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Whether the run may write to the site: the `--yes` flag, or the answer to a prompt.
 * @param {Options} options
 */
export async function confirmWrites({ yes, baseUrl }) {
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    process.stderr.write("conformance: it writes to the site, and there is no terminal: --yes agrees\n");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Make and delete about 15 records on ${baseUrl}? [y/N] `).finally(() => terminal.close());
  return /^y(es)?$/i.test(answer.trim());
}
