// The topics of the help. Their pages are loaded when they are read.
import type { HelpStyle } from "./look.ts";

/** A topic: `cal help <name>`. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<(look: HelpStyle) => string>;
}

/** All topics, in the order of the help. */
export const topics: readonly Topic[] = [
  { name: "flags", summary: "the flags of every command", load: async () => (await import("./topic-data.ts")).renderFlagsTopic },
  {
    name: "dates",
    summary: "how dates, ranges and durations are written",
    load: async () => (await import("./topic-dates.ts")).renderDatesTopic,
  },
  {
    name: "formats",
    summary: "table, JSON, CSV and the other outputs",
    load: async () => (await import("./topic-data.ts")).renderFormatsTopic,
  },
  {
    name: "environment",
    summary: "environment variables and what beats what",
    load: async () => (await import("./topic-data.ts")).renderEnvironmentTopic,
  },
  {
    name: "exit-codes",
    summary: "what scripts can tell from the exit code",
    load: async () => (await import("./topic-data.ts")).renderExitCodesTopic,
  },
  {
    name: "auth",
    summary: "ways to log in, and where secrets are kept",
    load: async () => (await import("./topic-auth.ts")).renderAuthTopic,
  },
];
