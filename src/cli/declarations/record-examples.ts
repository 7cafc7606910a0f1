// The examples of the commands over records: complete lines that can be pasted, and that work on a new sandbox.
import type { CommandSpec } from "../../commands/command.ts";
import type { Resource, Verb } from "../../model/resource.ts";

export type RecordVerb = Verb | "edit" | "clone" | "open" | "restore" | "import";

type Examples = CommandSpec["examples"];

const specificExamples: Readonly<Record<string, Examples>> = {
  "events list": [
    { command: "cal events list --start-date today --limit 20", does: "The next 20 events" },
    { command: "cal events list --week --category music --all", does: "What runs this week in a category" },
    { command: "cal events list --week next-week --all", does: "What runs next week" },
    { command: "cal events list --search jazz --all-dates --format csv", does: "Past and future events as CSV" },
    { command: "cal events list --start-date today --all --format ics", does: "A feed for calendar programs" },
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
    {
      command: "cal events update --where venue=town-hall --where month=2027-02 --start-time 19:30 --max-changes 20 --yes",
      does: "Start a month of one venue at another time",
    },
    { command: "cal events update 103 104 --add-category arts --remove-tag free", does: "Add a category and remove a tag" },
  ],
  "events delete": [
    { command: "cal events delete 103 --yes", does: "Delete one without a question" },
    {
      command: "cal events delete --where ends-before=1y-ago --max-delete 500 --yes",
      does: "All that ended more than a year ago, 500 at most",
    },
  ],
  "events clone": [
    { command: 'cal events clone jazz-night --start-date "2027-02-13 20:00"', does: "The same on another day, with the same length" },
  ],
  "venues list": [{ command: "cal venues list --only-with-upcoming --fields id,venue,city", does: "Venues where something is coming up" }],
  "categories list": [{ command: "cal categories list --parent music --include-empty", does: "Child categories, with and without events" }],
  "tags list": [{ command: "cal tags list --orderby count --order desc --limit 5", does: "The five tags that are used most" }],
};

/** A record of each resource in a new sandbox. */
const sampleRecords: Readonly<Record<Resource["name"], { readonly id: number; readonly slug: string; readonly word: string }>> = {
  events: { id: 103, slug: "jazz-night", word: "jazz" },
  venues: { id: 23, slug: "town-hall", word: "hall" },
  organizers: { id: 31, slug: "jane-doe", word: "doe" },
  categories: { id: 3, slug: "slug:jazz", word: "jazz" },
  tags: { id: 12, slug: "slug:free", word: "free" },
};

export const getSample = ({ name }: Resource) => sampleRecords[name];

/** The examples of a verb of a resource. */
export function getExamples(resource: Resource, verb: RecordVerb): Examples {
  const specific = specificExamples[`${resource.name} ${verb}`];
  if (specific !== undefined) return specific;
  const { name, singular, titleField } = resource;
  const { id, slug, word } = sampleRecords[name];
  const examples: Readonly<Record<RecordVerb, Examples>> = {
    list: [{ command: `cal ${name} list --search ${word} --json`, does: `Find ${name} by a text` }],
    get: [
      { command: `cal ${name} get ${id}`, does: `One ${singular} by its id` },
      { command: `cal ${name} get ${slug} --json`, does: "By its slug, as JSON" },
      { command: `cal ${name} list --format ids | cal ${name} get - --format ndjson`, does: "Many, one line each" },
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
    import: [
      { command: `cal ${name} import ${name}.csv --dry-run`, does: "Show what would be written" },
      { command: `cal ${name} import ${name}.csv --yes`, does: "Write it without a question; run again, it sends what has changed" },
    ],
    restore: [{ command: `cal ${name} restore ${id} --status publish`, does: `Bring the ${singular} back, and publish it` }],
  };
  return examples[verb];
}
