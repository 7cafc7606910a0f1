// `cal help [command or topic]`, bare `cal`, and `--help` everywhere.
import { meant } from "../../closest.ts";
import type { Handler } from "../../commands/command.ts";
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";
import { styleFor } from "../../terminal/style.ts";
import { placeOf, type Tree } from "../tree/lookup.ts";
import type { Look } from "./look.ts";
import { commandPage, groupPage, startPage, wholePage } from "./pages.ts";
import { topics } from "./topics.ts";

/** The handler: the page of all commands, of a topic or of a command; the flag `short` asks for that of bare `cal`. Usage error for words that name nothing. */
export function help(tree: Tree): Handler {
  return async ({ args, flags }, context) => {
    const look = await lookOf(context);
    const text = flags["short"] === true ? startPage(look) : await pageFor(tree, args, look);
    await context.io.stdout.write(`${text.trimEnd()}\n`);
    return { kind: "nothing" };
  };
}

async function pageFor(tree: Tree, words: readonly string[], look: Look): Promise<string> {
  const [first = ""] = words;
  const topic = words.length > 1 ? undefined : topics.find(({ name }) => name === first);
  if (topic !== undefined) return (await topic.load())(look);
  const place = placeOf(tree, words);
  switch (place.kind) {
    case "whole":
      return wholePage(tree, look);
    case "group":
      return groupPage(tree, place.group, look);
    case "command":
      return commandPage(tree, place.spec, look);
    case "nowhere": {
      const near = meant(
        first,
        topics.map(({ name }) => name),
      );
      throw usage(near === "" ? place.problem : `unknown topic ${JSON.stringify(first)}${near}`, "commands and topics: cal help");
    }
  }
}

async function lookOf({ io: { stdout }, env, globals }: Context): Promise<Look> {
  const style = await styleFor(stdout, env, globals);
  return { width: Math.max(stdout.columns ?? 80, 40), heading: style.bold };
}
