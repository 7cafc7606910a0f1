// The answer to a shell: candidates for the word at the cursor. Never an error, never a question, never long.
import type { Flag, Handler } from "../../commands/command.ts";
import type { Context } from "../../context.ts";
import { namesOf } from "../flags.ts";
import type { Tree } from "../tree/lookup.ts";
import { chosen } from "./choice.ts";
import type { CompletionLine } from "./line.ts";
import { type Offer, offerForArgument, offerForFlag } from "./offers.ts";
import { recordCandidates } from "./records.ts";
import { type Candidate, type Stand, standOf } from "./stand.ts";

/**
 * The handler of the hidden command that the scripts call. It prints, in lines: `words`, `open` (words after which no space goes)
 * or `files` with a tab and what goes before a file's name; then the candidates, each with a tab and what it means where the shell
 * shows that; then an empty line, after which nothing comes.
 */
export function completing(tree: Tree, line: CompletionLine): Handler {
  return async (_invocation, context) => {
    const answer = await answerFor(tree, line, context).catch(() => ["words"]);
    await context.io.stdout.write(`${[...answer, "", ""].join("\n")}`);
    return { kind: "nothing" };
  };
}

async function answerFor(tree: Tree, line: CompletionLine, context: Context): Promise<readonly string[]> {
  const stand = standOf(tree, line.words, line.current);
  const { before, rest } = stand.at === "value" ? stand : { before: "", rest: line.current };
  const offer = offerAt(tree, stand);
  if (offer.from === "files") return [`files\t${before}${rest.startsWith("@") ? "@" : ""}`];
  const list = "list" in offer && offer.list === true ? rest.slice(0, rest.lastIndexOf(",") + 1) : "";
  const word = rest.slice(list.length);
  const candidates = chosen(await candidatesOf(offer, word, context), word).filter(({ text }) => list === "" || !text.includes(","));
  const shown = candidates.map(({ text, means }) => {
    const inserted = line.insert(`${before}${list}${text}`);
    return line.describes && means !== "" ? `${inserted}\t${means}` : inserted;
  });
  return [offer.from === "words" && offer.open === true ? "open" : "words", ...shown];
}

function offerAt(tree: Tree, stand: Stand): Offer {
  switch (stand.at) {
    case "word":
      return { from: "words", candidates: stand.candidates };
    case "flag":
      return { from: "words", candidates: stand.flags.flatMap(flagCandidates) };
    case "value":
      return offerForFlag(stand);
    case "argument":
      return offerForArgument(tree, stand);
  }
}

function flagCandidates(flag: Flag): readonly Candidate[] {
  const [own, ...others] = namesOf(flag).filter((name) => !flag.aliases?.includes(name));
  return [{ text: `--${own}`, means: flag.meaning }, ...others.map((name) => ({ text: `--${name}`, means: `Not: ${flag.meaning}` }))];
}

async function candidatesOf(offer: Exclude<Offer, { from: "files" }>, word: string, context: Context): Promise<readonly Candidate[]> {
  if (offer.from === "words") return offer.candidates;
  if (offer.from === "records") {
    const { knownRecords } = await import("../../commands/completion/live.ts");
    return recordCandidates(await knownRecords(offer.resource, context), offer.as, word);
  }
  const { profiles } = await (await context.configFile()).read();
  return Object.entries(profiles).map(([text, profile]) => ({ text, means: String(profile["base_url"] ?? "") }));
}
