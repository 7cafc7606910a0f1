// docs/faults.md, made from the table that test/faults runs.
import type { FaultCase, FaultGroup, SeparateTest } from "../test/faults/row.ts";

const opening = `# Faults and their outcomes

Made from the table in \`test/faults/\` by \`npm run generate\`: every row with a command is a test of the program
against a real socket on loopback, and fails when the outcome is another; rows without one name the tests that make their fault another way.
In all of them the server counts what reaches it, stdout stays empty where the command fails, no output holds a
secret, and nothing reaches another site.

The rules behind the rows:

- An attempt has 30 s, to the last byte (\`--timeout\`). Reads, updates and deletes are tried again up to 3 times (\`--retries\`) where that may
  help, with growing pauses or as the server's Retry-After says; no attempt begins later than 30 s after the first. Each is said on stderr.
- A create is sent a second time only where no byte of it was sent. It goes over a connection of its own: on a kept one, which the server may
  have closed just then, nobody could tell whether it arrived. Where its answer is lost, the message says so, and the hint is the search that
  tells what became of it.
- A delete that is repeated after a lost answer and then finds nothing has succeeded.
- Only reads follow redirects, within the origin of base_url, five at most.
- Over http:// to another machine goes nothing but reading without a login, unless the profile says \`allow_http\`, or \`CAL_ALLOW_HTTP=1\` is set.

"Sent" is how many requests reached the server, "again" how often trying again was announced.
`;

/** The page. */
export function faultsPage(groups: readonly FaultGroup[]): string {
  return `${opening}${groups.map(section).join("")}`;
}

function section({ title, rows, separateTests }: FaultGroup): string {
  const measured =
    rows.length === 0
      ? []
      : ["| fault | command | exit | it says | sent | again |", "| --- | --- | --- | --- | --- | --- |", ...rows.map(measuredRow)];
  const elsewhere =
    separateTests.length === 0 ? [] : ["| fault | exit | shown by |", "| --- | --- | --- |", ...separateTests.map(provenRow)];
  return [[`## ${title}`], measured, elsewhere]
    .filter((part) => part.length > 0)
    .map((part) => `\n${part.join("\n")}\n`)
    .join("");
}

function measuredRow({ fault, commandLine, exitCode, expectedOutput, requestCount, retryCount }: FaultCase): string {
  return cells([
    fault,
    quoted(`cal ${commandLine}`),
    String(exitCode),
    expectedOutput.map(quoted).join(" "),
    String(requestCount),
    String(retryCount),
  ]);
}

function provenRow({ fault, outcome, test }: SeparateTest): string {
  return cells([fault, outcome, quoted(test)]);
}

/** Text as Markdown shows it unchanged. */
function quoted(text: string): string {
  return `\`${text}\``;
}

/** A cell: one line, with words in the place of what each run has of its own. */
function shown(text: string): string {
  return text.replaceAll("{authority}", "ca.pem").replaceAll("{port}", "<port>").replaceAll("|", "\\|").replaceAll("\n", " ");
}

function cells(texts: readonly string[]): string {
  return `| ${texts.map(shown).join(" | ")} |`;
}
