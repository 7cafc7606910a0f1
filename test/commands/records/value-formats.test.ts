// The value of a flag is validated before anything is sent: known words, booleans, addresses, dates that exist. --set sends any value.

import { expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "./sandbox.ts";

const { cal, sandbox } = await openSandboxSession("generic");

const known = "publish, draft, pending, private, future, trash";
const create = "events create --title X --start-date fri --duration 1h";

test.each([
  ["events update 103 --start-date ''", "--start-date is empty: it takes a date"],
  ["events update 103 --start-date ' ' --end-date ''", "--end-date is empty: it takes a date"],
  ["events update 103 --date ''", "--date is empty: it takes a date; update empties a field with --clear date"],
  ["events update 103 --timezone ''", "--timezone is empty: it takes a zone; update empties a field with --clear timezone"],
  ["events update 103 --website ''", "--website is empty: it takes a url; update empties a field with --clear website"],
  ["events list --start-date ''", '--start-date: "" is not a date: it is empty'],
  [
    "events update 103 --status drafft",
    `--status takes ${known}, not "drafft"; did you mean --status draft?; to send it unchanged: --set status=drafft`,
  ],
  ["events update 103 --status ''", `--status takes ${known}, not ""`],
  [
    `${create} --status Publish`,
    `--status takes ${known}, not "Publish"; did you mean --status publish?; to send it unchanged: --set status=Publish`,
  ],
  ["venues clone 23 --venue Y --status on-hold", `--status takes ${known}, not "on-hold"; to send it unchanged: --set status=on-hold`],
  [
    "events list --status draft,privat",
    `--status takes ${known}, not "privat"; did you mean --status private?; to send it unchanged: cal api GET events --query status=privat`,
  ],
  ["week --status any", "to send it unchanged: cal api GET events --query status=any"],
  ["venues list --only-with-upcoming maybe", '--only-with-upcoming takes true, false, not "maybe"'],
  ["organizers list --has-events ''", '--has-events takes true, false, not ""'],
  ["categories list --order up", '--order takes asc, desc, not "up"'],
  ["tags list --orderby cuont", "; did you mean --orderby count?; to send it unchanged: cal api GET tags --query orderby=cuont"],
  ["events list --geoloc-lat north --geoloc-lng 4.35", '--geoloc-lat takes a number, not "north"'],
  ["organizers update 31 --email jane", '--email takes an e-mail address, not "jane"; to send it unchanged: --set email=jane'],
  [
    "events update 103 --website jazz.example.org",
    '--website takes a url, not "jazz.example.org" (did you mean https://jazz.example.org?)',
  ],
  ["venues update 23 --website 'see our page'", '--website takes a url, not "see our page"; to send it unchanged: --set website='],
  ["events create --title '  ' --start-date 2027-01-01 --duration 1h", "--title takes a text, not white space alone"],
  ["tags update 12 --name ' '", "--name takes a text, not white space alone"],
  ["venues update 23 --image hall.jpg", '--image takes an ID, a url or @file, not "hall.jpg"'],
])("%s is refused, and nothing is requested", async (line, why) => {
  const before = sandbox.requests().length;
  const { stderr } = await expectExitCode(cal(line), 2);
  expect(stderr).toContain(why);
  expect(sandbox.requests()).toHaveLength(before);
});

test.each([
  ["events update 103 --set status=on-hold --set website=x --dry-run --json", { status: "on-hold", website: "x" }],
  ["events update 103 --status trash --website ftp://files.example/ü --image 41 --dry-run --json", { status: "trash", image: "41" }],
  ["events update 103 --image https://x.example/a.png --clear website --dry-run --json", { image: "https://x.example/a.png", website: "" }],
  ["organizers update 31 --email jörg@x.example --dry-run --json", { email: "jörg@x.example" }],
])("%s is sent", async (line, body) => {
  const { stdout } = await expectExitCode(cal(line), 0);
  expect([JSON.parse(stdout) as unknown].flat()).toMatchObject([{ body }]);
});

test("the known words are reported by the help and by completion", async () => {
  expect((await cal("events update --help")).stdout).toMatch(/--status <status>\s+Post status \(publish, draft,/);
  expect((await cal("venues list --help")).stdout).toContain("(true, false)");
});

test.each(["cancelled", "Canceled", "postponed"])("--status %s is answered with what people do instead", async (status) => {
  const { stderr } = await expectExitCode(cal(`events update 103 --status ${status}`), 2);
  expect(stderr).toContain(
    `not "${status}": the interface has no such status\nhint: say it in the title: --title "Cancelled: ...", or take it off the calendar: --status draft\n`,
  );
  expect(stderr).not.toContain("--set");
});
