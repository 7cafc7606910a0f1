// Renders docs/faults.md from the table of tests in test/faults.
import type { FaultCase, FaultGroup, SeparateTest } from "../test/faults/row.ts";

const introduction = `# Faults and their outcomes

\`npm run generate\` makes this page from the table in \`test/faults/\`. Every row with a command is a test of the program against a real
socket on loopback. It fails if the outcome differs. The server counts the requests that reach it. If the command fails, stdout
is empty. No output has a secret, and no request reaches another site. A row without a command names the test that causes its fault in
another way.

The rules behind the rows:

- An attempt has 30 s, to the last byte (\`--timeout\`). Reads, updates and deletes are tried again up to 3 times (\`--retries\`) where that may
  help, with growing pauses or as the server's Retry-After says. No attempt begins later than 30 s after the first. Each new attempt is announced
  on stderr.
- A create is sent a second time only if no byte of it was sent. It gets a new connection: the server may have just closed one that was used
  before, and then it would not be known whether the create arrived. If its answer is lost, the message says so, and the hint has the search
  that shows whether the record is there.
- A delete that is repeated after a lost answer and then finds nothing has succeeded.
- Only reads follow redirects, within the origin of base_url, five at most.
- Over http:// to another machine \`cal\` only reads, and only without a login, unless the profile has \`allow_http\`, or \`CAL_ALLOW_HTTP=1\` is set.

"Sent" is the number of requests that reached the server. "Again" is how often another attempt was announced.
`;

export function renderFaultsPage(groups: readonly FaultGroup[]): string {
  return `${introduction}${groups.map(renderGroup).join("")}`;
}

function renderGroup({ title, rows, separateTests }: FaultGroup): string {
  const caseTable =
    rows.length === 0
      ? []
      : ["| fault | command | exit | it says | sent | again |", "| --- | --- | --- | --- | --- | --- |", ...rows.map(renderCase)];
  const separateTestTable =
    separateTests.length === 0 ? [] : ["| fault | exit | shown by |", "| --- | --- | --- |", ...separateTests.map(renderSeparateTest)];
  return [[`## ${title}`], caseTable, separateTestTable]
    .filter((part) => part.length > 0)
    .map((part) => `\n${part.join("\n")}\n`)
    .join("");
}

function renderCase({ fault, commandLine, exitCode, expectedOutput, requestCount, retryCount }: FaultCase): string {
  return renderRow([
    fault,
    formatCode(`cal ${commandLine}`),
    String(exitCode),
    expectedOutput.map(formatCode).join(" "),
    String(requestCount),
    String(retryCount),
  ]);
}

function renderSeparateTest({ fault, outcome, test }: SeparateTest): string {
  return renderRow([fault, outcome, formatCode(test)]);
}

/** Inline code in Markdown. */
function formatCode(text: string): string {
  return `\`${text}\``;
}

/** The text of a table cell, on one line. Values that change with each run, such as the port, become placeholders. */
function escapeCell(text: string): string {
  return text.replaceAll("{authority}", "ca.pem").replaceAll("{port}", "<port>").replaceAll("|", "\\|").replaceAll("\n", " ");
}

function renderRow(texts: readonly string[]): string {
  return `| ${texts.map(escapeCell).join(" | ")} |`;
}
