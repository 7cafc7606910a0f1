// `cal help auth`: the ways to log in.
import { formatColumns, formatExamples, formatParagraph, wrapText } from "./layout.ts";
import type { HelpStyle } from "./look.ts";

const loginMethodRows = [
  {
    term: "application-password",
    means:
      "for sites that run The Events Calendar, and other WordPress sites: your user name there and a password for this program alone, which the site's dashboard makes under Users > Profile > Application Passwords. Nothing else is needed.",
  },
  {
    term: "browser",
    means:
      "on the login page of an authentication service: needs its address (auth_url) and a client id. The token is part of the address that the browser comes back to, and stays in its history",
  },
  {
    term: "password",
    means: "for scripts and servers: needs the client secret too, and a user name and password of that service",
  },
];

const loginExamples = [
  { command: "cal auth login --method application-password --username ana", does: "A site that runs The Events Calendar" },
  {
    command: "cal auth login --method browser --auth-url https://login.example.com --client-id my-app",
    does: "A site with an authentication service, in the browser",
  },
  {
    command: "cal auth login --method password --auth-url https://login.example.com --client-id my-app --username ana",
    does: "The same with a password; it and the client secret are asked for",
  },
];

const authCommandRows = [
  { term: "cal auth login", means: "log in, asking for what is missing; --method chooses the way" },
  { term: "cal auth status --check", means: "who is logged in, where, until when, and whether the site agrees" },
  { term: "cal auth refresh", means: "get a new token now; commands do it by themselves" },
  { term: "cal auth token", means: "print the token, with --header the whole header line, for other programs" },
  { term: "cal auth logout", means: "end the session and delete what is kept" },
];

/** The topic's page. */
export function renderAuthTopic({ width, heading }: HelpStyle): string {
  return [
    wrapText("Reading may need no login, writing always does. The sandbox (--sandbox) needs none.", width),
    `${heading("Commands")}\n${formatColumns(authCommandRows, width)}`,
    `${heading("Ways to log in")}\n${formatColumns(loginMethodRows, width)}\n\n${formatParagraph("auth_url is the address of the authentication service. A client id stands for this program there, and the client secret is its password. The administrator of that service gives all three.", width)}`,
    `${heading("Whole commands")}\n${formatExamples(loginExamples, width)}`,
    `${heading("In CI")}\n${formatParagraph("CAL_TOKEN with a token, or CAL_USERNAME and CAL_PASSWORD, at an authentication service with CAL_CLIENT_ID and CAL_CLIENT_SECRET; each secret also as the name of a file: CAL_TOKEN_FILE and so on.", width)}`,
    `${heading("Where secrets are kept")}\n${formatParagraph("In the keychain of the operating system. Without one, --insecure-storage keeps them in a file that only you can read. Never in the profile, and never as the value of a flag, which others could see in the list of processes.", width)}`,
  ].join("\n\n");
}
