// `cal help auth`: the ways to log in.
import { columns, paragraph, wrap } from "./layout.ts";
import type { Look } from "./look.ts";

const ways = [
  { term: "password", means: "user name and password, with an application key (client id and secret): for scripts and servers" },
  { term: "browser", means: "on the login page of the authentication service" },
  { term: "application-password", means: "for WordPress sites: a password that the site made for this program" },
];

const commands = [
  { term: "cal auth login", means: "log in, asking for what is missing; --method chooses the way" },
  { term: "cal auth status --check", means: "who is logged in, where, until when, and whether the site agrees" },
  { term: "cal auth refresh", means: "get a new token now; commands do it by themselves" },
  { term: "cal auth token", means: "print the token, for other programs" },
  { term: "cal auth logout", means: "end the session and delete what is kept" },
];

/** The topic's page. */
export function authTopic({ width, heading }: Look): string {
  return [
    wrap("Reading may need no login, writing always does. The sandbox (--sandbox) needs none.", width),
    `${heading("Commands")}\n${columns(commands, width)}`,
    `${heading("Ways to log in")}\n${columns(ways, width)}`,
    `${heading("In CI")}\n${paragraph("CAL_TOKEN with a token, or CAL_PASSWORD and CAL_CLIENT_SECRET with CAL_USERNAME and CAL_CLIENT_ID; each secret also as the name of a file: CAL_TOKEN_FILE and so on.", width)}`,
    `${heading("Where secrets are kept")}\n${paragraph("In the keychain of the operating system. Without one, --insecure-storage keeps them in a file that only you can read. Never in the profile, and never as the value of a flag, which others could see in the list of processes.", width)}`,
  ].join("\n\n");
}
