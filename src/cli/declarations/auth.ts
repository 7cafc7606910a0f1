// The commands `cal auth`.
import type { CommandSpec, Flag } from "../../commands/command.ts";
import { authMethods } from "../../model/auth.ts";

const loginMethodsGroup = "Ways to log in";
const secretsGroup = "Secrets without a prompt";
const safetyGroup = "Safety";

const loginFlags: readonly Flag[] = [
  {
    name: "method",
    type: "text",
    value: "name",
    meaning: "How to log in",
    group: loginMethodsGroup,
    choices: authMethods,
    default: "the profile's, else asked",
    env: "CAL_AUTH_METHOD",
  },
  {
    name: "endpoint",
    type: "text",
    value: "name",
    meaning: "Endpoint of the password flow",
    group: loginMethodsGroup,
    choices: ["token", "app"],
    default: "token",
  },
  {
    name: "browser",
    type: "boolean",
    negatable: true,
    meaning:
      "Open the browser. With --no-browser you copy its last address and paste it here. For an application password --browser opens its page",
    group: loginMethodsGroup,
  },
  {
    name: "redirect-url",
    type: "text",
    value: "url",
    meaning: "Redirect URL that is registered",
    group: loginMethodsGroup,
    default: "http://127.0.0.1:18250/callback",
  },
  { name: "password-stdin", type: "boolean", meaning: "Read the password from standard input", group: secretsGroup, env: "CAL_PASSWORD" },
  {
    name: "password-file",
    type: "text",
    value: "file",
    meaning: "Read the password from a file",
    group: secretsGroup,
    env: "CAL_PASSWORD_FILE",
  },
  {
    name: "client-secret-file",
    type: "text",
    value: "file",
    meaning: "Read the client secret from a file",
    group: secretsGroup,
    env: "CAL_CLIENT_SECRET_FILE",
  },
  {
    name: "remember",
    type: "boolean",
    negatable: true,
    meaning: "Store the password in the keychain too, to log in again without a question",
    group: safetyGroup,
  },
  { name: "expect-user", type: "text", value: "name", meaning: "Refuse the login of any other user", group: safetyGroup },
  {
    name: "insecure-storage",
    type: "boolean",
    meaning: "Store the secrets in an unencrypted file instead of the keychain",
    group: safetyGroup,
  },
];

export const authCommands: readonly CommandSpec[] = [
  {
    path: ["auth", "login"],
    summary: "Log in and store the login in the keychain",
    details:
      "Asks for what is missing. A site that runs The Events Calendar takes your user name there and an application password; one with an " +
      "authentication service needs its address (auth_url) and a client id. The secrets go into the keychain of the operating system, the rest into the " +
      "profile. What each way needs, and how scripts give secrets: cal help auth.",
    args: [],
    flags: loginFlags,
    examples: [
      { command: "cal auth login", does: "Log in to the profile's site, asking for what is missing" },
      { command: "cal auth login --method application-password --username ana", does: "Log in to a site that runs The Events Calendar" },
      {
        command: "cal auth login --method browser --auth-url https://login.example.com --client-id my-app",
        does: "Log in on the page of an authentication service",
      },
      {
        command: "printf '%s' \"$PASSWORD\" | cal auth login --method password --username ana --password-stdin",
        does: "Log in from a script; the client secret is in CAL_CLIENT_SECRET",
      },
    ],
    withoutIds: true,
    load: async () => (await import("../../commands/auth/login.ts")).login,
  },
  {
    path: ["auth", "logout"],
    summary: "End the session and delete the stored login",
    details: "Revokes the session where the service can, deletes tokens, client secret and password, and makes sure that they are gone.",
    args: [],
    flags: [],
    examples: [{ command: "cal auth logout", does: "Log out of the current profile" }],
    withoutIds: true,
    load: async () => (await import("../../commands/auth/session.ts")).logout,
  },
  {
    path: ["auth", "status"],
    summary: "Show who is logged in, where and until when",
    details:
      "Lists the current profile and every other one with a login. Exit code 0 where the current one is logged in, 4 where it is not. " +
      "--check sends a request to the site. It prints valid only if the site refuses visitors without a login, or names the user.",
    args: [],
    flags: [{ name: "check", type: "boolean", meaning: "Ask the site whether it accepts the login" }],
    examples: [
      { command: "cal auth status", does: "Show all logins" },
      { command: "cal auth status --check --json", does: "Let a script test the login" },
    ],
    load: async () => (await import("../../commands/auth/status.ts")).status,
  },
  {
    path: ["auth", "token"],
    summary: "Print the access token",
    details:
      "The only command that prints a secret. A token that is about to expire is refreshed first. For an application password it prints the text after Authorization: Basic, for a token the text after Authorization: Bearer; --header prints the whole header, right for both.",
    args: [],
    flags: [{ name: "header", type: "boolean", meaning: "Print the whole header line that the site is sent" }],
    examples: [
      {
        command: 'curl -H "$(cal auth token --header)" https://example.com/wp-json/calendar/events/v1/events',
        does: "Call the interface with curl",
      },
    ],
    load: async () => (await import("../../commands/auth/session.ts")).token,
  },
  {
    path: ["auth", "refresh"],
    summary: "Get a new token now",
    args: [],
    flags: [],
    examples: [{ command: "cal auth refresh", does: "Refresh the token of the current profile" }],
    withoutIds: true,
    load: async () => (await import("../../commands/auth/session.ts")).refresh,
  },
];
