// One command from its arguments to its exit code: parse, run, print. The only catch that prints.
import { type ParsedCommand, parseCommandLine } from "./cli/program.ts";
import { isFormatSpecific, validateFormatFlags } from "./cli/shaping.ts";
import { commandTree } from "./cli/tree/tree.ts";
import type { Invocation } from "./commands/command.ts";
import type { Context, OpenContext, System } from "./context.ts";
import { CalError, exitCodes, messageOf, usageError } from "./errors.ts";
import { PlannedRequest } from "./http/guard.ts";
import { createPlanReport } from "./output/planned.ts";
import type { Report } from "./output/report.ts";
import { getRequestedFormat, printReport } from "./print.ts";
import { createContext } from "./wiring/open-context.ts";

declare const CAL_VERSION: string;

/** Runs the program with the arguments after its name, and resolves with its exit code. Never rejects. */
export async function run(argv: readonly string[], system: System): Promise<number> {
  let context: OpenContext | undefined;
  try {
    const parsed = await parseCommandLine(argv, commandTree, CAL_VERSION);
    if (parsed.kind === "text") {
      await system.io.stdout.write(parsed.text);
      return 0;
    }
    const opened = createContext(system, parsed.globals, parsed.invocation.flags, parsed.spec.settingDefaults);
    context = opened;
    const invocation = await addFormatProblems(parsed, opened);
    const handler = await parsed.spec.load();
    const report = await handler(invocation, opened).catch(handlePlannedRequest);
    await printReport(report, invocation, opened).catch(async (error: unknown) =>
      printReport(handlePlannedRequest(error), invocation, opened),
    );
    const code = "exitCode" in report ? (report.exitCode?.() ?? 0) : 0;
    return code === 0 && opened.stderrFailed() ? exitCodes.local : code;
  } catch (error) {
    // What is still under way has nothing to say after the error.
    await context?.close();
    return await reportError(error, argv, context ?? system);
  } finally {
    await context?.close();
  }
}

/** The invocation with what is wrong by the format of the output; settings that can't be read are told, or borne, by the command itself. */
async function addFormatProblems({ spec, invocation, globals }: ParsedCommand, context: Context): Promise<Invocation> {
  const flags = { ...globals, ...invocation.flags };
  const asked = getRequestedFormat(undefined, context) ?? context.env["CAL_FORMAT"];
  if (spec.withoutIds === true && asked === "ids" && flags["field"] === undefined)
    throw usageError("there are no ids in what this command prints", `see: cal ${spec.path.join(" ")} --help`);
  if (!Object.keys(flags).some(isFormatSpecific)) return invocation;
  const settings = await context.settings().catch(() => undefined);
  const problems = validateFormatFlags(flags, getRequestedFormat(settings, context) ?? (context.io.stdout.isTTY ? "table" : "tsv"));
  if (problems.length > 0 && spec.reportsProblems !== true) throw usageError(problems, `see: cal ${spec.path.join(" ")} --help`);
  return { ...invocation, problems: [...invocation.problems, ...problems] };
}

/** What --dry-run kept from the wire is what the command answers with. */
function handlePlannedRequest(error: unknown): Report {
  if (error instanceof PlannedRequest) return createPlanReport([error.request]);
  throw error;
}

/** Tells a failure on stderr: as text, or in one line of JSON where the output is for a program. */
async function reportError(error: unknown, argv: readonly string[], { io, env }: System): Promise<number> {
  const problem = error instanceof CalError ? error : createInternalError(error, argv.includes("--debug") || env["CAL_DEBUG"] === "1");
  const [{ formatErrorJson, formatErrorText }, { resolveStyle }] = await Promise.all([
    import("./output/problem.ts"),
    import("./terminal/style.ts"),
  ]);
  const json = argv.includes("--json") || /^(nd)?json$/.test(findFlagValue(argv, "--format") ?? env["CAL_FORMAT"] ?? "");
  const style = await resolveStyle(io.stderr, env, { color: findFlagValue(argv, "--color"), "no-color": argv.includes("--no-color") });
  const columns = io.stderr.isTTY ? io.stderr.columns : undefined;
  await io.stderr.write(json ? formatErrorJson(problem) : formatErrorText(problem, style, columns)).catch(() => undefined);
  return problem.exitCode;
}

/** The value of a flag, read from the words themselves: they may be what is wrong. */
function findFlagValue(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

function createInternalError(error: unknown, debug: boolean): CalError {
  const stack = debug && error instanceof Error ? `\n${error.stack}` : "";
  return new CalError("internal", `internal error: ${messageOf(error)}${stack}`, {
    cause: error,
    hint: "this is a defect of cal; --debug tells more, please report it",
  });
}
