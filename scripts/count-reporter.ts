// Prints the last line of a test run: how many tests passed, failed and were skipped.
// In CI a skipped test is a failure, because CI must have everything that the tests need.
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Counts the results of all tests. An error outside a test is one failure. A file that fails without a failed test is one failure. */
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

/** Must be the last reporter, so that its line is the last one. */
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
