// What every record command works with: its resource, flags and settings, and the list of its problems.
import type { RecordSource } from "../../api/refs.ts";
import { formatSuggestion } from "../../closest.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import type { DataRecord } from "../../data-record.ts";
import { CalError, type Problem, toProblem, usageError } from "../../errors.ts";
import type { Resource } from "../../model/resource.ts";
import { fieldsReadLast } from "../../model/resources.ts";
import { type ServerProfile, serverProfiles } from "../../model/server-profiles.ts";
import type { RecordReport } from "../../output/report.ts";
import { type Invocation, parseNames } from "../command.ts";

/** Everything that is wrong with a command line. Each function that reads a part of it adds its own, and all are reported at once. */
export type Problems = (string | Problem)[];

/** One call of a verb of a resource. */
export interface RecordCommand {
  readonly resource: Resource;
  /** As it is written in a command line: `create`. */
  readonly verb: string;
  readonly invocation: Invocation;
  readonly context: Context;
  readonly settings: Settings;
  readonly serverProfile: ServerProfile;
  readonly problems: Problems;
  /** The linked records that a user at a terminal wants created, each as its resource and its ref: `venues name:Old Mill`. */
  readonly newLinks?: ReadonlySet<string>;
  /** The command whose help explains the flags; absent is that of the verb. */
  readonly helpCommand?: string | undefined;
}

/** Reads the settings; needs no site. Settings with a wrong value are reported with the problems found so far. */
export async function createRecordCommand(
  resource: Resource,
  verb: string,
  invocation: Invocation,
  context: Context,
  problems: Problems,
): Promise<RecordCommand> {
  const settings = await context.settings().catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    // Alone it is reported with its own hint.
    if (problems.length === 0 && error.details.hint !== undefined) throw error;
    problems.push(toProblem(error));
    throwIfProblems({ problems, resource, verb });
    throw error;
  });
  return { resource, verb, invocation, context, settings, serverProfile: serverProfiles[settings.server.value], problems };
}

/** Throws all problems at once. */
export function throwIfProblems(command: Pick<RecordCommand, "problems" | "resource" | "verb" | "helpCommand">): void {
  const { problems, resource, verb, helpCommand = `cal ${resource.name} ${verb}` } = command;
  if (problems.length === 0) return;
  throw usageError(problems, { text: "see the flags", command: `${helpCommand} --help` });
}

/** Throws the problems, where there are any, else opens the site. Rejects with kind `local` where no profile names one. */
export async function openSite(command: RecordCommand): Promise<RecordSource> {
  throwIfProblems(command);
  const { context, settings, serverProfile } = command;
  return { client: await context.client(), namespace: settings.namespace.value, serverProfile, rawAccess: { isDenied: false } };
}

/** The value of a flag; undefined, and a problem, where it can't be parsed. */
export function tryParseFlag<T>(flag: string, problems: Problems, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    const problem = toProblem(error);
    problems.push({ ...problem, message: `--${flag}: ${problem.message}` });
    return undefined;
  }
}

/** Every field of a resource that can be written or returned: `--fields` may name one that no record at hand has. */
export function fieldNames(resource: Resource): readonly string[] {
  return [...new Set(["id", ...resource.fields.map(({ name }) => name), ...resource.readOnlyFields])];
}

/** The report of one record. */
export function createRecordReport(resource: Resource, record: DataRecord): RecordReport {
  return {
    kind: "record",
    columns: resource.columns,
    fieldNames: fieldNames(resource),
    record,
    fieldOrder: { first: resource.fieldsReadFirst, last: fieldsReadLast },
  };
}

/** What is wrong with `--fields` and `--field` of a write. It is reported before the write: after it, a script would repeat the write. */
export function validateOutputFields(resource: Resource, { args, flags, where }: Invocation, { globals }: Context): readonly string[] {
  const known = fieldNames(resource);
  const title = resource.columns.find(({ kind }) => kind === "name")?.path;
  const synonyms = title === undefined ? {} : { name: title };
  const many = args.length > 1 || args.includes("-") || flags["times"] !== undefined || where !== undefined;
  const headers = resource.columns.map(({ header }) => header.toLowerCase());
  const shown = [...known, ...(many ? ["ref", "ok", "error"] : [])];
  const accepted: Readonly<Record<string, readonly string[]>> = { fields: [...shown, ...headers], field: known };
  return Object.entries(accepted).flatMap(([flag, names]) =>
    parseNames(globals[flag])
      .map((path) => path.split(".", 1)[0] ?? "")
      .filter((name) => !names.includes(name) && !(flag === "fields" && names.includes(name.toLowerCase())))
      .map((name) => `--${flag}: ${name} is not a known field of ${resource.name}${formatSuggestion(name, known, { synonyms })}`),
  );
}
