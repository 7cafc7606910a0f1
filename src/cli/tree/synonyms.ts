// Words that people type for commands that are called otherwise, and the command lines that do what is meant by them.
import { resources } from "../../spec/index.ts";

type LinesByWord = Readonly<Record<string, string>>;

/** Words that no command begins with. */
const topLevelSynonyms: LinesByWord = {
  login: "cal auth login",
  signin: "cal auth login",
  logout: "cal auth logout",
  signout: "cal auth logout",
  whoami: "cal auth status",
  me: "cal auth status",
  status: "cal auth status",
  token: "cal auth token",
  setup: "cal init <site-url>",
  configure: "cal init <site-url>",
  settings: "cal config list",
  profiles: "cal profile list",
  check: "cal doctor",
  version: "cal --version",
  today: "cal events list --today",
  tomorrow: "cal agenda tomorrow",
  day: "cal agenda today",
  upcoming: "cal agenda",
  next: "cal agenda",
  search: "cal events list --search <text>",
  find: "cal events list --search <text>",
  list: "cal events list",
  ls: "cal events list",
  get: "cal events get <ref>",
  show: "cal events get <ref>",
  create: "cal events create",
  new: "cal events create",
  add: "cal events create",
  update: "cal events update <ref>",
  edit: "cal events edit <ref>",
  delete: "cal events delete <ref>",
  rm: "cal events delete <ref>",
};

/** Second words of the groups that are no resources. */
const groupSynonyms: Readonly<Record<string, LinesByWord>> = {
  auth: {
    whoami: "cal auth status",
    me: "cal auth status",
    list: "cal auth status",
    check: "cal auth status --check",
    signin: "cal auth login",
    signout: "cal auth logout",
    renew: "cal auth refresh",
  },
  config: { show: "cal config list", edit: "cal config set <key> <value>", delete: "cal config unset <key>" },
  profile: {
    create: "cal profile add <name>",
    new: "cal profile add <name>",
    switch: "cal profile use <name>",
    delete: "cal profile remove <name>",
  },
  sandbox: { start: "cal sandbox serve", run: "cal sandbox serve", clear: "cal sandbox reset" },
};

/** Second words of every resource; `{name}` is what it is called, `{title}` the flag of its name. */
const recordSynonyms: LinesByWord = {
  search: "cal {name} list --search <text>",
  find: "cal {name} list --search <text>",
  "show-all": "cal {name} list --all",
  "list-all": "cal {name} list --all",
  all: "cal {name} list --all",
  export: "cal {name} list --all --format csv",
  view: "cal {name} get <ref>",
  read: "cal {name} get <ref>",
  info: "cal {name} get <ref>",
  new: "cal {name} create",
  import: "cal {name} create --data @<file>",
  change: "cal {name} update <ref>",
  modify: "cal {name} update <ref>",
  set: "cal {name} update <ref>",
  rename: "cal {name} update <ref> --{title} <text>",
  duplicate: "cal {name} clone <ref>",
  remove: "cal {name} delete <ref>",
  destroy: "cal {name} delete <ref>",
};

/** And of those that are published. */
const postSynonyms: LinesByWord = {
  publish: "cal {name} update <ref> --status publish",
  unpublish: "cal {name} update <ref> --status draft",
  hide: "cal {name} update <ref> --status draft",
  trash: "cal {name} delete <ref>",
};

/** And of events alone. No status of the interface says that one is called off. */
const eventSynonyms: LinesByWord = {
  cancel: "cal events update <ref> --status draft, which takes it off the calendar, or cal events delete <ref>",
  move: "cal events update <ref> --shift <offset>",
  reschedule: "cal events update <ref> --shift <offset>",
  postpone: "cal events update <ref> --shift <offset>",
  today: "cal events list --today",
  upcoming: "cal agenda",
};

/** The command lines by the word that stands for them: the first word of a line, or the second behind the name of a group. */
export function getSynonyms(group?: string): LinesByWord {
  if (group === undefined) return topLevelSynonyms;
  const resource = Object.values(resources).find(({ name }) => name === group);
  if (resource === undefined) return groupSynonyms[group] ?? {};
  const isPost = resource.fields.some(({ name }) => name === "status");
  const lines = { ...recordSynonyms, ...(isPost ? postSynonyms : {}), ...(resource.hasDates ? eventSynonyms : {}) };
  return Object.fromEntries(
    Object.entries(lines).map(([word, line]) => [word, line.replace("{name}", resource.name).replace("{title}", resource.titleField)]),
  );
}
