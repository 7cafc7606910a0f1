// The commands for the site as a whole, and for the embedded calendar: root, doc, api, sandbox.
import type { CommandSpec } from "../../commands/command.ts";

export const siteCommands: readonly CommandSpec[] = [
  {
    path: ["root"],
    summary: "Print the server's description of the interface: its routes and their parameters",
    args: [],
    flags: [
      {
        name: "context",
        type: "text",
        value: "context",
        meaning: "Which view of it: the interface's `context` parameter",
        default: "view",
      },
      {
        name: "root-namespace",
        type: "text",
        value: "path",
        meaning: "Another namespace to describe: the interface's `namespace` parameter",
        default: "the namespace itself",
      },
    ],
    examples: [{ command: "cal root --json | jq '.routes | keys'", does: "The routes of the calendar" }],
    withoutIds: true,
    load: async () => (await import("../../commands/site.ts")).root,
  },
  {
    path: ["doc"],
    summary: "Print the server's own documentation of the interface",
    args: [],
    flags: [],
    examples: [{ command: "cal doc --json | jq .info", does: "The server's description of itself" }],
    withoutIds: true,
    load: async () => (await import("../../commands/site.ts")).doc,
  },
  {
    path: ["api"],
    summary: "Send any request with the login of the profile",
    details:
      "The path is relative to the namespace; with a leading slash it is relative to the base URL. Whole URLs are refused, because the login belongs to one site.",
    args: [
      { name: "method", meaning: "GET, POST, PUT, PATCH or DELETE", required: true },
      { name: "path", meaning: "events/12, or /wp/v2/users/me", required: true },
    ],
    flags: [
      { name: "query", type: "texts", value: "name=value", meaning: "A query parameter; may be repeated" },
      { name: "set", type: "texts", value: "name=value", meaning: "A field of the body, as text" },
      { name: "set-json", type: "texts", value: "name=json", meaning: "A field of the body, as JSON" },
      { name: "data", type: "text", value: "@file", meaning: "The body, as JSON or YAML: @file, - for stdin, or the text itself" },
      { name: "show-headers", type: "boolean", meaning: "Print status and headers of the answer on stderr" },
      { name: "all", type: "boolean", meaning: "Read all pages of a list, as one array" },
    ],
    examples: [
      { command: "cal api GET events --query per_page=1", does: "A list as the server sends it" },
      { command: "cal api POST tags --set name=free", does: "One field at a time, without checks" },
      { command: "cal api GET /wp/v2/users/me", does: "Who am I, on a WordPress site" },
    ],
    load: async () => (await import("../../commands/site.ts")).api,
  },
  {
    path: ["sandbox", "serve"],
    summary: "Serve the sandbox on this machine until Ctrl-C",
    details: "Prints where it is, who may log in, and the commands that set up a profile for it in another terminal.",
    args: [],
    flags: [
      { name: "port", type: "integer", value: "n", meaning: "Port to listen on", default: "8123, or a free one where that is taken" },
      { name: "data-file", type: "text", value: "file", meaning: "File that holds its data", default: "in the state folder" },
      { name: "seed-day", type: "text", value: "YYYY-MM-DD", meaning: "Day around which a new file gets its events", default: "today" },
      {
        name: "server",
        aliases: ["habits"],
        type: "text",
        value: "kind",
        choices: ["generic", "the-events-calendar"],
        choiceAliases: { contract: "generic" },
        meaning: "Behave as the interface says, or as sites that run The Events Calendar",
        default: "generic",
        env: "CAL_SANDBOX_SERVER",
      },
      { name: "token-lifetime", type: "text", value: "duration", meaning: "How long access tokens are valid: 60s, 5m", default: "1h" },
      {
        name: "fault",
        type: "texts",
        value: "fault",
        meaning: "Let requests fail: a status, cut or a delay, then method, path and count; may be repeated",
      },
    ],
    examples: [
      { command: "cal sandbox serve --port 8200", does: "A calendar for a test of your own" },
      { command: 'cal sandbox serve --fault "503 POST /events x2"', does: "Let the first two creates fail, to test retries" },
    ],
    load: async () => (await import("../../commands/sandbox.ts")).serve,
  },
  {
    path: ["sandbox", "reset"],
    summary: "Replace the data of the sandbox with new sample data",
    args: [],
    flags: [{ name: "data-file", type: "text", value: "file", meaning: "File that holds its data", default: "in the state folder" }],
    examples: [{ command: "cal sandbox reset --yes", does: "Start again, around today, without a question" }],
    load: async () => (await import("../../commands/sandbox.ts")).reset,
  },
];
