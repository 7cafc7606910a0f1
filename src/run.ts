// One command from its arguments to its exit code: parse, run, print. The only catch that prints.
import { type ParsedCommand, parse } from "./cli/program.ts";
import { idleFlags, shapesData } from "./cli/shaping.ts";
import { tree } from "./cli/tree/tree.ts";
import type { Invocation } from "./commands/command.ts";
import type { Context, OpenContext, System } from "./context.ts";
import { CalError, exitCodes, messageOf, usage } from "./errors.ts";
import { PlannedRequest } from "./http/guard.ts";
import { planOf } from "./output/planned.ts";
import type { Report } from "./output/report.ts";
import { chosenFormat, print } from "./print.ts";
import { createContext } from "./wiring/open-context.ts";

declare const CAL_VERSION: string;

/** Runs the program with the arguments after its name, and resolves with its exit code. Never rejects. */
export async function run(argv: readonly string[], system: System): Promise<number> {
  let context: OpenContext | undefined;
  try {
    const parsed = await parse(argv, tree, CAL_VERSION);
    if (parsed.kind === "text") {
      await system.io.stdout.write(parsed.text);
      return 0;
    }
    const opened = createContext(system, parsed.globals, parsed.invocation.flags, parsed.spec.usual);
    context = opened;
    const invocation = await withIdle(parsed, opened);
    const handler = await parsed.spec.load();
    const report = await handler(invocation, opened).catch(planned);
    await print(report, invocation, opened).catch(async (error: unknown) => print(planned(error), invocation, opened));
    const code = "exitCode" in report ? (report.exitCode?.() ?? 0) : 0;
    return code === 0 && opened.unheard() ? exitCodes.local : code;
  } catch (error) {
    // What is still under way has nothing to say after the error.
    await context?.close();
    return await tell(error, argv, context ?? system);
  } finally {
    await context?.close();
  }
}

/** The invocation with what is wrong by the format of the output; settings that can't be read are told, or borne, by the command itself. */
async function withIdle({ spec, invocation, globals }: ParsedCommand, context: Context): Promise<Invocation> {
  const flags = { ...globals, ...invocation.flags };
  const asked = chosenFormat(undefined, context) ?? context.env["CAL_FORMAT"];
  if (spec.withoutIds === true && asked === "ids" && flags["field"] === undefined)
    throw usage("there are no ids in what this command prints", `see: cal ${spec.path.join(" ")} --help`);
  if (!Object.keys(flags).some(shapesData)) return invocation;
  const settings = await context.settings().catch(() => undefined);
  const problems = idleFlags(flags, chosenFormat(settings, context) ?? (context.io.stdout.isTTY ? "table" : "tsv"));
  if (problems.length > 0 && spec.takesProblems !== true) throw usage(problems, `see: cal ${spec.path.join(" ")} --help`);
  return { ...invocation, problems: [...invocation.problems, ...problems] };
}

/** What --dry-run kept from the wire is what the command answers with. */
function planned(error: unknown): Report {
  if (error instanceof PlannedRequest) return planOf([error.request]);
  throw error;
}

/** Tells a failure on stderr: as text, or in one line of JSON where the output is for a program. */
async function tell(error: unknown, argv: readonly string[], { io, env }: System): Promise<number> {
  const problem = error instanceof CalError ? error : internal(error, argv.includes("--debug") || env["CAL_DEBUG"] === "1");
  const [{ problemJson, problemText }, { styleFor }] = await Promise.all([import("./output/problem.ts"), import("./terminal/style.ts")]);
  const json = argv.includes("--json") || /^(nd)?json$/.test(valueIn(argv, "--format") ?? env["CAL_FORMAT"] ?? "");
  const style = await styleFor(io.stderr, env, { color: valueIn(argv, "--color"), "no-color": argv.includes("--no-color") });
  const columns = io.stderr.isTTY ? io.stderr.columns : undefined;
  await io.stderr.write(json ? problemJson(problem) : problemText(problem, style, columns)).catch(() => undefined);
  return problem.exitCode;
}

/** The value of a flag, read from the words themselves: they may be what is wrong. */
function valueIn(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

function internal(error: unknown, debug: boolean): CalError {
  const stack = debug && error instanceof Error ? `\n${error.stack}` : "";
  return new CalError("internal", `internal error: ${messageOf(error)}${stack}`, {
    cause: error,
    hint: "this is a defect of cal; --debug tells more, please report it",
  });
}
