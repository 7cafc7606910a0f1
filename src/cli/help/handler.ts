// `cal help [command or topic]`, bare `cal`, and `--help` everywhere.
import { formatSuggestion } from "../../closest.ts";
import type { Handler } from "../../commands/command.ts";
import type { Context } from "../../context.ts";
import { usageError } from "../../errors.ts";
import { resolveStyle } from "../../terminal/style.ts";
import { type CommandTree, lookupCommand } from "../tree/lookup.ts";
import type { HelpStyle } from "./look.ts";
import { renderCommandPage, renderGroupPage, renderOverviewPage, renderStartPage } from "./pages.ts";
import { topics } from "./topics.ts";

/** The handler: the page of all commands, of a topic or of a command; the flag `short` asks for that of bare `cal`. Usage error for words that name nothing. */
export function createHelpHandler(tree: CommandTree): Handler {
  return async ({ args, flags }, context) => {
    const look = await createHelpStyle(context);
    const text = flags["short"] === true ? renderStartPage(look) : await renderHelp(tree, args, look);
    await context.io.stdout.write(`${text.trimEnd()}\n`);
    return { kind: "nothing" };
  };
}

async function renderHelp(tree: CommandTree, words: readonly string[], look: HelpStyle): Promise<string> {
  const [first = ""] = words;
  const topic = words.length > 1 ? undefined : topics.find(({ name }) => name === first);
  if (topic !== undefined) return (await topic.load())(look);
  const place = lookupCommand(tree, words);
  switch (place.kind) {
    case "whole":
      return renderOverviewPage(tree, look);
    case "group":
      return renderGroupPage(tree, place.group, look);
    case "command":
      return renderCommandPage(tree, place.spec, look);
    case "nowhere": {
      const near = formatSuggestion(
        first,
        topics.map(({ name }) => name),
      );
      throw usageError(near === "" ? place.problem : `unknown topic ${JSON.stringify(first)}${near}`, "commands and topics: cal help");
    }
  }
}

async function createHelpStyle({ io: { stdout }, env, globals }: Context): Promise<HelpStyle> {
  const style = await resolveStyle(stdout, env, globals);
  return { width: Math.max(stdout.columns ?? 80, 40), heading: style.bold };
}
