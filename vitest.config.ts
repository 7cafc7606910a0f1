// How the tests are run: from test/, three workers, with a plain closing line.

import { defineConfig } from "vitest/config";
import packageJson from "./package.json" with { type: "json" };
import { countReporter } from "./scripts/count-reporter.ts";

export default defineConfig({
  define: { CAL_VERSION: JSON.stringify(packageJson.version) },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/helpers/temporary-folder.ts",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 3,
    reporters: ["default", countReporter],
    coverage: { provider: "v8", include: ["src/**"], reporter: ["text-summary", "html"] },
  },
});
