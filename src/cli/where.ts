// `--where FILTER=VALUE`: the filters of a list, as the flags of that list.
import { formatSuggestion } from "../closest.ts";
import { type Flag, getFlagNames, getTexts, type Invocation } from "../commands/command.ts";
import type { Problem } from "../errors.ts";
import { parseWords } from "./parser.ts";

/** The invocation with the list flags of its `--where`, and with what is wrong with them. */
export async function parseWhere(invocation: Invocation, listFlags: readonly Flag[]): Promise<Invocation> {
  const filters = listFlags.filter(({ group }) => group !== "How much");
  const problems: (string | Problem)[] = [];
  const words = getTexts(invocation.flags["where"]).flatMap((text) => {
    const word = toWord(text, filters);
    if (typeof word === "string") return [word];
    problems.push(word);
    return [];
  });
  const parsed = await parseWords(words, filters);
  return { ...invocation, where: parsed.values, problems: [...invocation.problems, ...problems, ...parsed.problems] };
}

/** `venue=Town Hall` as `--venue=Town Hall`, `featured=false` as `--no-featured`. */
function toWord(text: string, filters: readonly Flag[]): string | Problem {
  const [, name = "", value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const flag = filters.find((one) => getFlagNames(one).includes(name));
  if (flag === undefined) {
    const names = filters.map((one) => one.name);
    return {
      message: `--where: there is no filter ${JSON.stringify(name)}${formatSuggestion(name, names)}`,
      hint: "write --where status=draft",
    };
  }
  const isBoolean = flag.type === "boolean";
  if (value === undefined || value === "")
    return { message: `--where ${name} has no value`, hint: `write --where ${name}=${isBoolean ? "true" : `<${flag.value ?? "value"}>`}` };
  if (!isBoolean) return `--${name}=${value}`;
  if (value === "true") return `--${name}`;
  if (value === "false" && flag.negatable === true) return `--no-${name}`;
  return { message: `--where ${name} takes ${flag.negatable === true ? "true or false" : "true"}, not ${JSON.stringify(value)}` };
}
