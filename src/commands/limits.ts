// `--max-changes` and `--max-delete` of commands, and what many refs would really write.
import { assertWithinLimits, type Limits } from "../changes/limits.ts";
import type { Context } from "../context.ts";
import type { Report } from "../output/report.ts";
import type { Invocation } from "./command.ts";

/** `--max-changes` and `--max-delete` of a command. */
export function parseLimits({ flags }: Pick<Invocation, "flags">): Limits {
  const { "max-changes": maxChanges, "max-delete": maxDelete } = flags;
  return {
    ...(typeof maxChanges === "number" && { maxChanges }),
    ...(typeof maxDelete === "number" && { maxDelete }),
  };
}

/**
 * Does work that writes at most one record for each of `count` refs. Where that can be more than the limits allow, it is done first with a
 * context in which nothing is sent or said, and what it would write is counted.
 */
export async function runWithinLimits(
  { flags }: Invocation,
  context: Context,
  count: number,
  work: (context: Context) => Promise<Report>,
): Promise<Report> {
  const limits = parseLimits({ flags });
  const mayExceed = count > (limits.maxChanges ?? count) || flags["create-missing"] === true;
  if (limits.maxChanges !== undefined && mayExceed) {
    const { createPlanCollector, createPlanningSite } = await import("../changes/planning.ts");
    const [client, journal] = [await context.client(), createPlanCollector(await context.openStore())];
    const silent = async () => undefined;
    await work({
      ...context,
      globals: { ...context.globals, "dry-run": true },
      client: async () => createPlanningSite({ client }).client,
      journal: async () => journal,
      notice: silent,
      warn: silent,
    });
    assertWithinLimits(journal.planned, limits);
  }
  return work(context);
}
