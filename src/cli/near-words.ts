// Words that people know from other programs, or type in another order, and the line that does here what is meant by them.
import { shellWord } from "../http/shell-word.ts";
import { type Group, groupNamed, membersOf, type Tree } from "./lookup.ts";

/** The second word of a command, and what belongs behind it: at once, or at the end of the line. */
interface Verb {
  readonly verb: string;
  readonly first?: string;
  readonly last?: string;
}

/** No status of the interface says that an event is called off: a draft is off the calendar. */
const draft: Verb = { verb: "update", last: "--status draft" };
const search: Verb = { verb: "list", first: "--search" };

const verbs: Readonly<Record<string, Verb>> = {
  search,
  find: search,
  all: { verb: "list", last: "--all" },
  view: { verb: "get" },
  read: { verb: "get" },
  new: { verb: "create" },
  make: { verb: "create" },
  change: { verb: "update" },
  modify: { verb: "update" },
  duplicate: { verb: "clone" },
  remove: { verb: "delete" },
  trash: { verb: "delete" },
  destroy: { verb: "delete" },
  cancel: draft,
  unpublish: draft,
  publish: { verb: "update", last: "--status publish" },
};

const alone: Readonly<Record<string, string>> = {
  login: "auth login",
  signin: "auth login",
  logout: "auth logout",
  signout: "auth logout",
  whoami: "auth status",
  today: "agenda today",
  tomorrow: "agenda tomorrow",
  version: "--version",
};

/** The whole line in this program's words, to be pasted; undefined where nobody knows what was meant. `isSlip`: a word nearly like one typed was found. */
export function lineMeant(tree: Tree, operands: readonly string[], argv: readonly string[], isSlip: boolean): string | undefined {
  const [first = "", second] = operands;
  const group = groupNamed(tree, first);
  if (group !== undefined && second !== undefined) {
    const verb = verbIn(tree, group, second);
    if (verb !== undefined) return line(`${first} ${verb.verb}`, verb, operands.slice(2), without(argv, [first, second]));
    const isRef = !isSlip && membersOf(tree, group).some(({ path }) => path[1] === "get");
    return isRef ? line(`${first} get`, {}, operands.slice(1), without(argv, [first])) : undefined;
  }
  const turned = second === undefined ? undefined : groupNamed(tree, second);
  const verb = turned === undefined ? undefined : verbIn(tree, turned, first);
  if (turned !== undefined && second !== undefined && verb !== undefined)
    return line(`${turned.name} ${verb.verb}`, verb, operands.slice(2), without(argv, [first, second]));
  if (Object.hasOwn(alone, first)) return line(alone[first] ?? "", {}, operands.slice(1), without(argv, [first]));
  const events = groupNamed(tree, "events");
  const ofEvents = events === undefined ? undefined : verbIn(tree, events, first);
  return ofEvents === undefined ? undefined : line(`events ${ofEvents.verb}`, ofEvents, operands.slice(1), without(argv, [first]));
}

/** What a word means behind the name of a group: one of its commands, or another word for one. */
function verbIn(tree: Tree, group: Group, word: string): Verb | undefined {
  const members = membersOf(tree, group);
  if (members.some(({ path, aliases }) => path[1] === word || aliases?.includes(word))) return { verb: word };
  const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  // A word for records fits the groups that have records.
  const fits = verb !== undefined && members.some(({ path }) => path[1] === "get") && members.some(({ path }) => path[1] === verb.verb);
  return fits ? verb : undefined;
}

/** What is searched for is one text, however many words it was typed as. */
function line(command: string, { first, last }: Partial<Verb>, operands: readonly string[], rest: readonly string[]): string {
  const words = first === undefined ? [...rest] : [shellWord(first), operands.join(" ") || "<words>", ...without(rest, operands)];
  const shown = words.map((word) => (word === "<words>" ? word : shellWord(word)));
  return ["cal", command, ...shown, ...(last === undefined ? [] : [last])].join(" ");
}

/** The words without the first of each of these. */
function without(words: readonly string[], taken: readonly string[]): readonly string[] {
  const left = [...words];
  for (const word of taken) left.splice(left.indexOf(word), 1);
  return left;
}
