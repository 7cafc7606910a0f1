// Words that users type for commands and flags with other names: tables to change when a command comes or goes.
import { resources } from "../model/resources.ts";

/** Command lines, and the words that mean them. */
type Synonyms = Readonly<Record<string, readonly string[]>>;

/** First words. */
const topLevelSynonyms: Synonyms = {
  "cal auth login": ["login", "signin"],
  "cal auth logout": ["logout", "signout"],
  "cal auth status": ["whoami", "me", "status"],
  "cal auth token": ["token"],
  "cal init <site-url>": ["setup", "configure"],
  "cal config list": ["settings"],
  "cal profile list": ["profiles"],
  "cal doctor": ["check"],
  "cal --version": ["version"],
  "cal events list --today": ["today"],
  "cal agenda tomorrow": ["tomorrow"],
  "cal agenda today": ["day"],
  "cal agenda": ["upcoming", "next"],
  "cal events list --search <text>": ["search", "find"],
  "cal events list": ["list", "ls"],
  "cal events get <ref>": ["get", "show"],
  "cal events create": ["create", "new", "add"],
  "cal events update <ref>": ["update"],
  "cal events edit <ref>": ["edit"],
  "cal events update <ref> --status publish": ["publish", "approve", "restore", "undelete", "untrash"],
  "cal events update <ref> --status draft": ["cancel", "unpublish"],
  "cal events delete <ref>": ["delete", "rm", "cancel"],
  "cal events update <ref> --shift <offset>": ["move", "reschedule", "postpone"],
  "cal events clone <ref>": ["clone", "copy", "duplicate"],
  "cal events create --data @<file>": ["import"],
  "cal events list --all --format csv": ["export"],
};

/** Second words of the groups that are no resources. */
const groupSynonyms: Readonly<Record<string, Synonyms>> = {
  auth: {
    "cal auth status": ["whoami", "me", "list"],
    "cal auth status --check": ["check"],
    "cal auth login": ["signin"],
    "cal auth logout": ["signout"],
    "cal auth refresh": ["renew"],
  },
  config: { "cal config list": ["show"], "cal config set <key> <value>": ["edit"], "cal config unset <key>": ["delete"] },
  profile: {
    "cal profile add <name>": ["create", "new"],
    "cal profile use <name>": ["switch"],
    "cal profile remove <name>": ["delete"],
  },
  sandbox: { "cal sandbox serve": ["start", "run"], "cal sandbox reset": ["clear"] },
};

/** Second words of every resource. `{name}` is the name of the resource, `{title}` the flag of its title field. */
const recordSynonyms: Synonyms = {
  "cal {name} list --search <text>": ["search", "find"],
  "cal {name} list --all": ["show-all", "list-all", "all"],
  "cal {name} list --all --format csv": ["export"],
  "cal {name} get <ref>": ["view", "read", "info"],
  "cal {name} create": ["new"],
  "cal {name} create --data @<file>": ["import"],
  "cal {name} update <ref>": ["change", "modify", "set"],
  "cal {name} update <ref> --{title} <text>": ["rename"],
  "cal {name} clone <ref>": ["duplicate"],
  "cal {name} delete <ref>": ["remove", "destroy"],
};

/** Second words of resources with a status. */
const postSynonyms: Synonyms = {
  "cal {name} update <ref> --status publish": ["publish", "approve", "restore", "undelete", "untrash"],
  "cal {name} update <ref> --status draft": ["unpublish", "hide"],
  "cal {name} delete <ref>": ["trash"],
};

/** Second words of categories and tags, which no server can restore. */
const termSynonyms: Synonyms = { "cal {name} create --{title} <text>": ["restore", "undelete", "untrash"] };

/** Second words of events. The interface has no status for a cancelled event. */
const eventSynonyms: Synonyms = {
  "cal events update <ref> --status draft": ["cancel"],
  "cal events delete <ref>": ["cancel"],
  "cal events update <ref> --shift <offset>": ["move", "reschedule", "postpone"],
  "cal events clone <ref> --shift <offset> --times <n>": ["repeat"],
  "cal events list --today": ["today"],
  "cal agenda": ["upcoming"],
};

/** The command lines by the words that mean them: first words, or second words after the name of a group. */
export function getSynonyms(group?: string): Readonly<Record<string, readonly string[]>> {
  if (group === undefined) return invertSynonyms(topLevelSynonyms);
  const resource = Object.values(resources).find(({ name }) => name === group);
  if (resource === undefined) return invertSynonyms(groupSynonyms[group] ?? {});
  const lines = {
    ...invertSynonyms(recordSynonyms),
    ...(resource.fields.some(({ name }) => name === "status") ? invertSynonyms(postSynonyms) : {}),
    ...(resource.isTerm ? invertSynonyms(termSynonyms) : {}),
    ...(resource.hasDates ? invertSynonyms(eventSynonyms) : {}),
  };
  return Object.fromEntries(
    Object.entries(lines).map(([word, templates]) => [
      word,
      templates.map((line) => line.replace("{name}", resource.name).replace("{title}", resource.titleField)),
    ]),
  );
}

function invertSynonyms(synonyms: Synonyms): Readonly<Record<string, readonly string[]>> {
  const words = Object.values(synonyms).flat();
  const linesOf = (word: string) => Object.keys(synonyms).filter((line) => synonyms[line]?.includes(word));
  return Object.fromEntries(words.map((word) => [word, linesOf(word)]));
}

/** Flags, with or without the form of their value, and their names in other programs. Of several flags for a name, the first that the command has is suggested. */
export const flagSynonyms: Readonly<Record<string, readonly string[]>> = {
  "start-date": ["from", "since", "begin", "when"],
  "end-date": ["to", "until", "till"],
  on: ["date"],
  website: ["url", "link"],
  "base-url": ["url"],
  orderby: ["sort"],
  title: ["name"],
  venue: ["name"],
  organizer: ["name"],
  search: ["query", "filter"],
  limit: ["max", "count"],
  "data @<file>": ["file", "f", "from-file", "input"],
  format: ["output", "f", "o"],
};

/** Advice for flags that no flag replaces, on commands that have the flag `onlyWith`. */
export const flagAdvice: Readonly<Record<string, { readonly onlyWith: string; readonly text: string }>> = {
  year: { onlyWith: "month", text: "a year is --start-date 2025 --end-date 2025" },
  sort: { onlyWith: "search", text: "the interface has no order to choose here: pipe --json to jq" },
};
