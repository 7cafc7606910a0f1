// The question for a linked record: found by a part of its name, or new.
import { type RecordSource, searchRecords } from "../../api/refs.ts";
import { getText, idOf } from "../../data-record.ts";
import { toPlainText } from "../../html-text.ts";
import type { Resource } from "../../model/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { type Answer, createAnswer } from "./saved-answers.ts";

/** Asks until a record is chosen, or none. The chosen one is added to the `earlier` ones. */
export async function askLink(
  user: Prompt,
  site: RecordSource,
  target: Resource,
  label: string,
  earlier: Answer | undefined,
): Promise<Answer | undefined> {
  for (;;) {
    const term = (await user.text({ message: `${label}: a part of the name, or Enter for a list` })).trim();
    const choice = await user.choose<Answer | "again" | "new" | "none">(`Which ${target.singular}?`, [
      ...(await findChoices(site, target, term)),
      { name: term === "" ? `A new ${target.singular}` : `A new ${target.singular}: ${term}`, value: "new" },
      { name: "Search again", value: "again" },
      { name: `No ${target.singular}`, value: "none" },
    ]);
    if (choice === "again") continue;
    if (choice === "none") return earlier;
    const answer = choice === "new" ? await askNewName(target.singular, term, user) : choice;
    return earlier === undefined ? answer : joinAnswers(earlier, answer);
  }
}

/** The record is created together with the one that links to it, not before. */
async function askNewName(singular: string, term: string, user: Prompt): Promise<Answer> {
  const name =
    term ||
    (await user.text({ message: `Name of the new ${singular}`, validate: (text) => text.trim() !== "" || "an answer is needed" })).trim();
  return { ...createAnswer(`name:${name}`, `${name} (new)`), isNew: true };
}

function joinAnswers(first: Answer, second: Answer): Answer {
  const isNew = first.isNew === true || second.isNew === true;
  const isKnown = second.texts.every((text) => first.texts.includes(text));
  if (isKnown) return first;
  return { texts: [...first.texts, ...second.texts], labels: [...first.labels, ...second.labels], ...(isNew && { isNew }) };
}

async function findChoices(site: RecordSource, target: Resource, term: string) {
  const records = await searchRecords(site, target, term);
  return records.flatMap((record) => {
    const id = idOf(record);
    const label = toPlainText(getText(record, target.titleField));
    const details = [getText(record, "address"), getText(record, "city"), getText(record, "email")].map(toPlainText).filter(Boolean);
    const name = details.length === 0 ? label : `${label} (${details.join(", ")})`;
    return id === undefined ? [] : [{ name, value: createAnswer(`id:${id}`, label) }];
  });
}
