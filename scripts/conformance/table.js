// The table as text: a line for each check, and under it what failed and what the program warned of.

/** @param {import("./walk.js").Row} row */
export function rowText({ check, result, problems, findings }) {
  return [
    `${result.padEnd(8)} ${check}`,
    ...problems.map((text) => `         ${text}`),
    ...findings.map((text) => `         finding: ${text}`),
  ].join("\n");
}

/** @param {readonly import("./walk.js").Row[]} rows */
export function totalText(rows) {
  /** @param {string} result */
  const count = (result) => rows.filter((row) => row.result === result).length;
  const findings = rows.flatMap((row) => row.findings).length;
  return `${rows.length} checks: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped; ${findings} findings`;
}
