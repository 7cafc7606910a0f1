// A record command as it was called, and what is wrong with it: whoever reads a part of it adds its own, and all is told at once.
import type { Context } from "../../context.ts";
import { adviceOf, advised, usageError } from "../../errors.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Invocation } from "../command.ts";

/** A list of what is wrong, filled while reading. */
export type Problems = string[];

/** A command over records of a resource. */
export interface Call {
  readonly resource: Resource;
  /** As it is typed: `create`. */
  readonly verb: string;
  readonly invocation: Invocation;
  readonly context: Context;
  /** What was wrong on the command line already, and what its readers find. */
  readonly problems: Problems;
}

/** The call of a verb, to be read. */
export function callOf(resource: Resource, verb: string, invocation: Invocation, context: Context): Call {
  return { resource, verb, invocation, context, problems: [...invocation.problems] };
}

/** Throws all problems at once. */
export function throwIfProblems({ problems, resource, verb }: Pick<Call, "problems" | "resource" | "verb">): void {
  if (problems.length === 0) return;
  const [only = ""] = problems;
  const { message, hint } = problems.length === 1 ? advised(only) : { message: problems, hint: undefined };
  throw usageError(message, hint ?? `see the flags: cal ${resource.name} ${verb} --help`);
}

/** What a flag's text means; where it means nothing that is a problem, told with its advice, and undefined. */
export function tryParseFlag<T>(flag: string, problems: Problems, parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    problems.push(`--${flag}: ${adviceOf(error)}`);
    return undefined;
  }
}
