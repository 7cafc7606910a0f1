// The answer to a shell: candidates for the word at the cursor. Never an error, never a question, never long.
import type { Flag, Handler } from "../../commands/command.ts";
import type { Context } from "../../context.ts";
import type { CommandTree } from "../command-lookup.ts";
import { getFlagNames } from "../flags.ts";
import {
  type Candidate,
  type CandidateSource,
  type CursorPosition,
  createRecordCandidates,
  filterCandidates,
  findCursorPosition,
  getArgumentCandidateSource,
  getFlagCandidateSource,
} from "./candidates.ts";
import type { CompletionLine } from "./words.ts";

/**
 * The handler of the hidden command that the scripts call. It prints, in lines: `words`, `open` (words after which no space goes)
 * or `files` with a tab and what goes before a file's name; then the candidates, each with a tab and what it means where the shell
 * shows that; then an empty line, after which nothing comes.
 */
export function createCompletionHandler(tree: CommandTree, line: CompletionLine): Handler {
  return async (_invocation, context) => {
    const answer = await completeLine(tree, line, context).catch(() => ["words"]);
    await context.io.stdout.write(`${[...answer, "", ""].join("\n")}`);
    return { kind: "nothing" };
  };
}

async function completeLine(tree: CommandTree, line: CompletionLine, context: Context): Promise<readonly string[]> {
  const stand = findCursorPosition(tree, line.words, line.current);
  const { before, rest } = stand.at === "value" ? stand : { before: "", rest: line.current };
  const offer = getCandidateSource(tree, stand);
  if (offer.from === "files") return [`files\t${before}${rest.startsWith("@") ? "@" : ""}`];
  const list = "list" in offer && offer.list === true ? rest.slice(0, rest.lastIndexOf(",") + 1) : "";
  const word = rest.slice(list.length);
  const candidates = filterCandidates(await loadCandidates(offer, word, context), word).filter(
    ({ text }) => list === "" || !text.includes(","),
  );
  const shown = candidates.map(({ text, means }) => {
    const inserted = line.escapeCandidate(`${before}${list}${text}`);
    return line.showsDescriptions && means !== "" ? `${inserted}\t${means}` : inserted;
  });
  return [offer.from === "words" && offer.noSpace === true ? "open" : "words", ...shown];
}

function getCandidateSource(tree: CommandTree, stand: CursorPosition): CandidateSource {
  switch (stand.at) {
    case "word":
      return { from: "words", candidates: stand.candidates };
    case "flag":
      return { from: "words", candidates: stand.flags.flatMap(createFlagCandidates) };
    case "value":
      return getFlagCandidateSource(stand);
    case "argument":
      return getArgumentCandidateSource(tree, stand);
  }
}

function createFlagCandidates(flag: Flag): readonly Candidate[] {
  const [own, ...others] = getFlagNames(flag).filter((name) => !flag.aliases?.includes(name));
  return [{ text: `--${own}`, means: flag.meaning }, ...others.map((name) => ({ text: `--${name}`, means: `Not: ${flag.meaning}` }))];
}

async function loadCandidates(
  offer: Exclude<CandidateSource, { from: "files" }>,
  word: string,
  context: Context,
): Promise<readonly Candidate[]> {
  if (offer.from === "words") return offer.candidates;
  if (offer.from === "records") {
    const { getCompletionEntries } = await import("./value-cache.ts");
    return createRecordCandidates(await getCompletionEntries(offer.resource, context), offer.as, word);
  }
  const { profiles } = await (await context.configFile()).read();
  return Object.entries(profiles).map(([text, profile]) => ({ text, means: String(profile["base_url"] ?? "") }));
}
