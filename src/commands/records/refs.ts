// What `get`, `update` and `delete` point at: the refs of the command line, and of stdin where one of them is `-`.
import { parseRef, type Ref } from "../../api/ref.ts";
import { adviceOf } from "../../errors.ts";
import type { Invocation } from "../command.ts";
import type { Call } from "./call.ts";

/** A ref with the text it was typed as. */
export interface RefArgument {
  readonly text: string;
  readonly ref: Ref;
}

/** What was pointed at; `many` decides the shape of the answer. */
export interface Refs {
  readonly refs: readonly RefArgument[];
  readonly many: boolean;
}

/** Whether several refs can be meant, by how they are typed. */
export function hasManyRefs({ args }: Invocation): boolean {
  return args.length > 1 || args.includes("-");
}

/** The ref that is alone; what is wrong with one of many is told in its row. */
export function getSingleRef({ refs, many }: Refs): Ref | undefined {
  return many ? undefined : refs[0]?.ref;
}

/** Reads the refs of a command line; a line of stdin is a ref. What can't be one is a problem. */
export async function readRefs({ resource, invocation, context, problems }: Call): Promise<Refs> {
  const many = hasManyRefs(invocation);
  const texts: string[] = [];
  for (const arg of invocation.args) {
    if (arg !== "-") texts.push(arg);
    else
      texts.push(
        ...(await context.io.stdin.text())
          .split(/\r?\n/)
          .map((line) => line.trim())
          .filter((line) => line !== ""),
      );
  }
  if (texts.length === 0 && !many) problems.push(`which ${resource.singular}? Give an id, a slug, or name:"..."`);
  const refs = texts.flatMap((text) => {
    try {
      return [{ text, ref: parseRef(text) }];
    } catch (error) {
      problems.push(adviceOf(error));
      return [];
    }
  });
  return { refs, many };
}
