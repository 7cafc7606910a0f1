// Flags and their names, and how what was typed of them is read.

import { formatSuggestion } from "../closest.ts";
import type { Flag } from "../commands/command.ts";
import type { Flags, FlagValue } from "../context.ts";
import type { Problem } from "../errors.ts";
import type { Resource, Verb } from "../model/resource.ts";
import { shellQuote } from "../text.ts";

/** A flag as it was typed: its text, true where it stands alone, false where it was negated. */
export interface ParsedFlag {
  readonly flag: Flag;
  readonly value: string | boolean;
}

/** What was made of the words: flags in their order, words before the first unknown flag, and what follows from it on. */
export interface ParsedArguments {
  readonly parsedFlags: readonly ParsedFlag[];
  readonly operands: readonly string[];
  readonly unknown: readonly string[];
}

/** All names of a flag without dashes: its own, its other ones, and the negation. */
export function getFlagNames({ name, aliases = [], negatable }: Flag): readonly string[] {
  return [name, ...aliases, ...(negatable === true ? [`no-${name}`] : [])];
}

/** The values of what was typed, by the flag's name; of a flag that can't be repeated the last one counts. Bad values are told in `problems`. */
export function getFlagValues(typed: readonly ParsedFlag[], problems: (string | Problem)[]): Flags {
  const values: Record<string, FlagValue> = {};
  for (const { flag, value } of typed) {
    const earlier = values[flag.name];
    if (flag.type === "texts") values[flag.name] = [...(typeof earlier === "object" ? earlier : []), String(value)];
    else {
      const read = parseFlagValue(flag, value, problems);
      if (read !== undefined) values[flag.name] = read;
    }
  }
  return values;
}

function parseFlagValue(flag: Flag, value: string | boolean, problems: (string | Problem)[]): FlagValue | undefined {
  const { name, type, choices, commaSeparated } = flag;
  const parts = commaSeparated === true ? String(value).split(",") : [String(value)];
  const wrong = choices === undefined ? undefined : parts.find((part) => !choices.includes(part));
  if (wrong !== undefined) {
    problems.push(formatInvalidChoice(flag, wrong));
    return undefined;
  }
  if (type !== "integer") return value;
  if (/^\d{1,15}$/.test(String(value))) return Number(value);
  problems.push(`--${name} takes a whole number, not ${JSON.stringify(value)}`);
  return undefined;
}

function formatInvalidChoice({ name, choices = [], synonyms, unsupported, escapeHatch }: Flag, value: string): string | Problem {
  if (unsupported?.words.includes(value.toLowerCase()) === true)
    return {
      message: `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}: ${unsupported.reason}`,
      hint: unsupported.hint,
    };
  const guess = formatSuggestion(value, choices, { synonyms, prefix: `--${name} ` });
  const other = escapeHatch === undefined || value === "" ? "" : `; as it is: ${escapeHatch}${shellQuote(value)}`;
  return `--${name} takes ${choices.join(", ")}, not ${JSON.stringify(value)}${guess}${other}`;
}

// Examples of the record commands: whole lines that can be pasted, and that a fresh sandbox can do.

/** The verbs of the interface, and those that are made of them. */
export type RecordVerb = Verb | "edit" | "clone" | "open";

type Example = { readonly command: string; readonly does: string };

const specificExamples: Readonly<Record<string, readonly Example[]>> = {
  "events list": [
    { command: "cal events list --start-date today --limit 20", does: "The next 20 events" },
    { command: "cal events list --week --category music --all", does: "What runs this week in a category" },
    { command: "cal events list --week next-week --all", does: "What runs next week" },
    { command: "cal events list --search jazz --all-dates --format csv", does: "Past and future events as CSV" },
    { command: "cal events list --today --json | jq -r '.[].title'", does: "Today's titles in a script" },
  ],
  "events create": [
    {
      command: 'cal events create --title "Jazz Night" --start-date "fri 20:00" --duration 2h --venue "Blue Note Cellar"',
      does: "An evening at a venue, chosen by its name",
    },
    { command: "cal events create --data @event.json --set status=draft", does: "From a file, with one field changed" },
  ],
  "events update": [
    { command: 'cal events update jazz-night --start-date "2027-01-10 20:00" --duration 3h', does: "Move an event" },
    { command: "cal events update jazz-night --shift +7d", does: "A week later, at the same time and as long as before" },
    { command: "cal events update jazz-night --clear website --no-featured --dry-run", does: "Show what would be sent, and send nothing" },
    { command: "cal events list --search jazz --format ids | cal events update - --featured", does: "Change many" },
    { command: "cal events update 103 104 --add-category arts --remove-tag free", does: "Into one more category, and out of a tag" },
  ],
  "events clone": [
    { command: 'cal events clone jazz-night --start-date "2027-02-13 20:00"', does: "The same again on another day; it lasts as long" },
  ],
  "venues list": [
    { command: "cal venues list --only-with-upcoming true --columns id,venue,city", does: "Venues where something is coming up" },
  ],
  "categories list": [
    { command: "cal categories list --parent music --include-empty", does: "What is below a category, with and without events" },
  ],
  "tags list": [{ command: "cal tags list --orderby count --order desc --limit 5", does: "The five tags that are used most" }],
};

/** A record of each resource as it is in a fresh sandbox. */
const sampleRecords: Readonly<Record<Resource["name"], { readonly id: number; readonly slug: string; readonly word: string }>> = {
  events: { id: 103, slug: "jazz-night", word: "jazz" },
  venues: { id: 23, slug: "town-hall", word: "hall" },
  organizers: { id: 31, slug: "jane-doe", word: "doe" },
  categories: { id: 3, slug: "slug:jazz", word: "jazz" },
  tags: { id: 12, slug: "slug:free", word: "free" },
};

/** The examples of a verb of a resource. */
export function getExamples(resource: Resource, verb: RecordVerb): readonly Example[] {
  const known = specificExamples[`${resource.name} ${verb}`];
  if (known !== undefined) return known;
  const { name, singular, titleField } = resource;
  const { id, slug, word } = sampleRecords[name];
  const examples: Readonly<Record<RecordVerb, readonly Example[]>> = {
    list: [{ command: `cal ${name} list --search ${word} --json`, does: `Find ${name} by a text` }],
    get: [
      { command: `cal ${name} get ${id}`, does: `One ${singular} by its id` },
      { command: `cal ${name} get ${slug} --json`, does: "By its slug, as JSON" },
      { command: `cal ${name} list --format ids | cal ${name} get - --format ndjson`, does: "Many, a line each" },
    ],
    create: [{ command: `cal ${name} create --${titleField} "Old Mill" --field id`, does: "Print the new id alone, for a script" }],
    update: [{ command: `cal ${name} update ${id} --${titleField} "Old Mill"`, does: `Rename the ${singular}` }],
    edit: [{ command: `cal ${name} edit ${slug}`, does: `The ${singular} as YAML in $VISUAL or $EDITOR` }],
    clone: [{ command: `cal ${name} clone ${id} --${titleField} "Old Mill, upstairs"`, does: "A copy with another name" }],
    open: [{ command: `cal ${name} open ${slug}`, does: "Its page, in the browser" }],
    delete: [
      { command: `cal ${name} delete ${id} --yes`, does: "Delete one without a question" },
      {
        command: `cal ${name} list --search ${word} --format ids | cal ${name} delete - --max-delete 10 --yes`,
        does: "Delete what a search finds, ten at most",
      },
    ],
  };
  return examples[verb];
}
