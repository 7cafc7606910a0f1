// The last line of a test run: how many passed, failed and were skipped. In CI a skipped test is a failure: a part is missing there.
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Counts the tests of a run; a file that fails without a failed test, and an error outside any test, count as one failure each. */
export function countTests(modules: readonly TestModule[], errors: readonly SerializedError[]) {
  const count = { passed: 0, failed: errors.length, skipped: 0 };
  for (const module of modules) {
    const failedBefore = count.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      count[state === "pending" ? "failed" : state] += 1;
    }
    if (!module.ok() && count.failed === failedBefore) count.failed += 1;
  }
  return count;
}

/** Prints the closing line `N passed, N failed, N skipped`, after everything that other reporters print. */
export const countReporter: Reporter = {
  onTestRunEnd(modules, errors) {
    const { passed, failed, skipped } = countTests(modules, errors);
    if (skipped > 0 && process.env["CI"]) {
      process.exitCode = 1;
      console.log("Skipped tests are failures in CI: each says what to install.");
    }
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  },
};
