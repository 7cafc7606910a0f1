// `cal sandbox reset`: throws the data of the embedded calendar away.
import { resolve } from "node:path";
import { CalError } from "../../errors.ts";
import type { Handler } from "../command.ts";

/** Asks, unless --yes was typed; the new data is seeded around today. */
export const reset: Handler = async ({ flags }, context) => {
  const file = typeof flags["data-file"] === "string" ? resolve(flags["data-file"]) : context.sandboxFile;
  const { read_only } = await context.settings();
  if (read_only.value)
    throw new CalError("forbidden", `nothing was changed: ${file} is not reset, because this is read-only`, { code: "read-only" });
  if (context.globals["dry-run"] === true) {
    await context.notice(`dry run: ${file} was not reset`);
    return { kind: "nothing" };
  }
  if (context.globals["yes"] !== true) {
    const prompt = await context.prompt();
    if (!(await prompt.confirm(`Throw away all that is in ${file}?`, false))) throw new CalError("declined", "nothing was changed");
  }
  await context.resetSandbox(file);
  await context.notice(`The sandbox is new: ${file}`);
  return { kind: "nothing" };
};
