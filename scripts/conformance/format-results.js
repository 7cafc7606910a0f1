// Formats the results: one line for each check, with its problems and findings below it.

/** @param {import("./run-checks.js").CheckResult} checkResult */
export function formatResult({ label, result, problems, findings }) {
  return [
    `${result.padEnd(8)} ${label}`,
    ...problems.map((text) => `         ${text}`),
    ...findings.map((text) => `         finding: ${text}`),
  ].join("\n");
}

/** @param {readonly import("./run-checks.js").CheckResult[]} results */
export function formatSummary(results) {
  /** @param {string} result */
  const count = (result) => results.filter((checkResult) => checkResult.result === result).length;
  const findings = results.flatMap((checkResult) => checkResult.findings).length;
  return `${results.length} checks: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${findings} findings`;
}
