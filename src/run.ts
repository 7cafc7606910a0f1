// One command from its arguments to its exit code: parse, run, print. The only catch that prints.
import { commandTree } from "./cli/command-tree.ts";
import { isFormatSpecific, validateFormatFlags } from "./cli/global-flags.ts";
import { type ParsedCommand, parseCommandLine } from "./cli/program.ts";
import { type Invocation, parseNames } from "./commands/command.ts";
import { adaptErrorHints, needsSettings } from "./config/hint-commands.ts";
import type { Settings } from "./config/settings.ts";
import type { Context, OpenContext, System } from "./context.ts";
import { createContext } from "./create-context.ts";
import { CalError, exitCodes, formatProblem, messageOf, toProblem, usageError } from "./errors.ts";
import { exportFormats, type Format, formats, type OutputOptions, type Report } from "./output/report.ts";
import type { Output } from "./terminal/io.ts";
import { resolveStyle } from "./terminal/style.ts";
import { sanitizeLine, unbreakable } from "./text.ts";

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
    const opened = createContext(system, {
      argv,
      globals: parsed.globals,
      flags: parsed.invocation.flags,
      defaults: parsed.spec.settingDefaults,
    });
    context = opened;
    const invocation = await addFormatProblems(parsed, opened);
    const handler = await parsed.spec.load();
    const report = await handler(invocation, opened);
    await printReport(report, invocation, opened);
    if (report.kind === "list" && report.failure !== undefined) throw report.failure;
    const interruption = report.kind === "outcomes" ? report.interruption?.() : undefined;
    if (interruption !== undefined) throw interruption;
    const code = "exitCode" in report ? (report.exitCode?.() ?? 0) : 0;
    return code === 0 && opened.stderrFailed() ? exitCodes.local : code;
  } catch (error) {
    // Work in progress must not write after the error.
    await context?.close();
    return await reportError(error, argv, system, context);
  } finally {
    await context?.close();
  }
}

/** Adds the problems of the output format. Settings that can't be read are reported by the command itself, or not needed by it. */
async function addFormatProblems({ spec, invocation, globals }: ParsedCommand, context: Context): Promise<Invocation> {
  const flags = { ...globals, ...invocation.flags };
  const requested = getRequestedFormat(undefined, context) ?? context.env["CAL_FORMAT"];
  if (spec.withoutIds === true && requested === "ids" && flags["field"] === undefined)
    throw usageError("there are no ids in what this command prints", { text: "see", command: `cal ${spec.path.join(" ")} --help` });
  if (!Object.keys(flags).some(isFormatSpecific)) return invocation;
  const settings = await context.settings().catch(() => undefined);
  const problems = validateFormatFlags(flags, getRequestedFormat(settings, context) ?? (context.io.stdout.isTTY ? "table" : "tsv"));
  if (problems.length > 0 && spec.reportsProblems !== true)
    throw usageError(problems, { text: "see", command: `cal ${spec.path.join(" ")} --help` });
  return { ...invocation, problems: [...invocation.problems, ...problems] };
}

/** Reports an error on stderr: as text, or as one line of JSON where the output is for a program. */
async function reportError(error: unknown, argv: readonly string[], system: System, context: Context | undefined): Promise<number> {
  const { io, env } = context ?? system;
  const problem =
    error instanceof CalError
      ? await adaptError(error, argv, env, context)
      : createInternalError(error, argv.includes("--debug") || env["CAL_DEBUG"] === "1");
  const { formatErrorJson, formatErrorText } = await import("./output/message.ts");
  const json = argv.includes("--json") || /^(nd)?json$/.test(findFlagValue(argv, "--format") ?? env["CAL_FORMAT"] ?? "");
  const style = await resolveStyle(io.stderr, env, { color: findFlagValue(argv, "--color"), "no-color": argv.includes("--no-color") });
  const columns = io.stderr.isTTY ? io.stderr.columns : undefined;
  await io.stderr.write(json ? formatErrorJson(problem) : formatErrorText(problem, style, columns)).catch(() => undefined);
  return problem.exitCode;
}

/** The error with hints for this call. Where the arguments were refused, its flags are read from them. */
async function adaptError(error: CalError, argv: readonly string[], env: System["env"], context: Context | undefined): Promise<CalError> {
  const typed = { profile: findFlagValue(argv, "--profile") ?? findFlagValue(argv, "-p"), sandbox: argv.includes("--sandbox") };
  // To read them may start the sandbox.
  const settings = needsSettings(error) ? await context?.settings().catch(() => undefined) : undefined;
  return adaptErrorHints(error, { globals: context?.globals ?? typed, env, settings, argv });
}

/** The value of a flag, read from the arguments themselves: the parser may have refused them. */
function findFlagValue(argv: readonly string[], flag: string): string | undefined {
  const at = argv.indexOf(flag);
  return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

function createInternalError(error: unknown, debug: boolean): CalError {
  const stack = debug && error instanceof Error ? `\n${error.stack}` : "";
  return new CalError("internal", `internal error: ${messageOf(error)}${stack}`, {
    cause: error,
    hint: "this is a defect of cal; --debug shows more; please report it",
  });
}

/** Prints a report on stdout; stops reading it where stdout is closed (`| head`), but goes on to the end where records are written. */
async function printReport(report: Report, invocation: Invocation, context: OpenContext): Promise<void> {
  if (report.kind === "nothing") return;
  if (report.kind === "text") return context.page((stdout) => stdout.write(report.text));
  const { render } = await import("./output/render.ts");
  const dropped: string[] = [];
  const nested: { readonly path: string; readonly part: string }[] = [];
  const view = await createView(report, invocation, context, {
    onDropped: (headers) => {
      for (const header of headers) dropped.push(header);
    },
    onNested: (path, part) => nested.push({ path, part }),
  });
  const isWrite = report.kind === "outcomes" && report.isWrite === true;
  let hasFailed = false;
  let isUnread = () => hasFailed || context.io.stdout.closed;
  const { printed, failures } = withFailuresOnStderr(withAdaptedErrors(report, context), view, context, () => isUnread());
  const write = async (stdout: Output) => {
    isUnread = () => hasFailed || stdout.closed;
    for await (const text of render(printed, view)) {
      if (isUnread()) continue;
      await stdout.write(text).catch(async (error: unknown) => {
        if (!isWrite) throw error;
        hasFailed = true;
        await context.warn(`${messageOf(error)}; the work goes on without printing`);
      });
      if (!isUnread()) failures.length = 0;
      else if (!isWrite) return;
    }
  };
  try {
    // The outcomes of writes are shown as they come.
    await (isWrite ? write(context.io.stdout) : context.page(write));
  } catch (error) {
    throw toDisplayError(report, error);
  }
  if (isUnread()) {
    for (const failure of failures) await context.say(failure);
    return;
  }
  if (report.kind === "record" && report.nextStep !== undefined) await context.notice(report.nextStep);
  if (dropped.length > 0) await context.notice(`no room for ${dropped.join(", ")}: --wide shows all`);
  if (nested.length > 0) {
    const paths = nested.map(({ path }) => path).join(", ");
    const parts = nested.map(({ part }) => part).join(",");
    await context.notice(`printed as JSON: ${paths}; for parts of them: --fields ${parts}`);
  }
}

/** A usage error means that nothing was sent. After a write, an error of the output format is another one. */
function toDisplayError(report: Report, error: unknown): unknown {
  if (report.kind !== "value" || report.completedRequest === undefined || !(error instanceof CalError) || error.kind !== "usage")
    return error;
  return new CalError("local", `${report.completedRequest}; only the answer can't be shown so: ${error.message}`, {
    ...error.details,
    code: "not-shown",
  });
}

/** The errors of refs with hints for this call. */
function withAdaptedErrors(report: Report, { globals, env, settings }: Context): Report {
  if (report.kind !== "outcomes") return report;
  const adapt = async function* (outcomes: typeof report.outcomes) {
    const { toBatches } = await import("./output/rows.ts");
    const scope = { globals, env, settings: await settings().catch(() => undefined) };
    for await (const group of toBatches(outcomes))
      yield group.map((outcome) => (outcome.error === undefined ? outcome : { ...outcome, error: adaptErrorHints(outcome.error, scope) }));
  };
  return { ...report, outcomes: adapt(report.outcomes) };
}

/**
 * Reports a failed ref on stderr where the format has no place for it, or where nobody reads stdout any more. `failures` are the others; the
 * caller removes those that are printed. What an interruption left undone is reported at the end.
 */
function withFailuresOnStderr(report: Report, { format, field }: OutputOptions, { say }: Context, isUnread: () => boolean) {
  const failures: string[] = [];
  if (report.kind !== "outcomes") return { printed: report, failures };
  const hasNoPlace = ["ids", "count", ...exportFormats].includes(format) || field !== undefined;
  const reportFailures = async function* (outcomes: typeof report.outcomes) {
    const { toBatches } = await import("./output/rows.ts");
    for await (const group of toBatches(outcomes)) {
      for (const { ref, error } of group) {
        if (error === undefined || error.kind === "interrupted" || error.kind === "terminated") continue;
        const problem = formatProblem(toProblem(error), unbreakable);
        // The messages about the rows of a source begin with their place.
        const text = sanitizeLine(problem.startsWith(`${ref}: `) ? `cal: ${problem}` : `cal: ${ref}: ${problem}`);
        if (hasNoPlace || isUnread()) await say(text);
        else failures.push(text);
      }
      yield group;
    }
  };
  return { printed: { ...report, outcomes: reportFailures(report.outcomes) }, failures };
}

async function createView(
  report: Report,
  invocation: Invocation,
  context: Context,
  callbacks: Pick<OutputOptions, "onDropped" | "onNested">,
): Promise<OutputOptions> {
  const { globals, io, env } = context;
  const settings = await context.settings().catch((error: unknown) => {
    if (report.kind === "list" && report.withoutSettings === true) return undefined;
    throw error;
  });
  const { stdout } = io;
  const width = stdout.columns;
  return {
    format: getRequestedFormat(settings, context) ?? getDefaultFormat(report, stdout.isTTY),
    header: globals["no-header"] !== true,
    envelope: invocation.flags["envelope"] === true,
    excel: globals["excel"] === true,
    wide: globals["wide"] === true,
    tty: stdout.isTTY,
    style: await resolveStyle(stdout, env, globals),
    get zone() {
      return settings?.tz.value;
    },
    now: context.clock.now(),
    ...callbacks,
    ...(globals["fields"] === undefined ? {} : { fields: parseNames(globals["fields"]) }),
    ...(globals["field"] === undefined ? {} : { field: String(globals["field"]) }),
    ...(width === undefined ? {} : { width }),
  };
}

/** The format of a flag, the environment or the profile; of a flag alone where the settings are unknown. */
function getRequestedFormat(settings: Settings | undefined, { globals }: Pick<Context, "globals">): Format | undefined {
  const name = settings?.format?.value ?? (globals["json"] === true ? "json" : globals["format"]);
  return [...formats, ...exportFormats].find((format) => format === name);
}

/** The answer to `cal api` stays JSON; records and reports with columns are a table or TSV. */
function getDefaultFormat(report: Report, isTTY: boolean): Format {
  if (report.kind === "value" && report.text === undefined) return "json";
  return isTTY ? "table" : "tsv";
}
