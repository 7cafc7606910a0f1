// What the command line understands, and how it refuses what it does not: all at once, with suggestions, before anything is sent.

import { beforeEach, describe, expect, test } from "vitest";
import { globalFlags } from "../../src/cli/global-flags.ts";
import { startRequestRecorder } from "../helpers/recorder.ts";
import { createSession } from "../helpers/session.ts";

const server = await startRequestRecorder();
const env = { CAL_SANDBOX: "0", CAL_BASE_URL: server.url, CAL_TOKEN: "t0k3n", CAL_TZ: "America/New_York" };
const cal = createSession({ env });
const other = createSession({ env: { ...env, CAL_NAMESPACE: "a/v1", CAL_PER_PAGE: "7" } });
const ns = "/wp-json/calendar/events/v1";

beforeEach(server.reset);

/** Refused as a whole before anything is sent. */
async function refused(line: string) {
  const { stdout, stderr, code } = await cal(line);
  expect({ stdout, code, seen: server.receivedRequests }, stderr).toEqual({ stdout: "", code: 2, seen: [] });
  return stderr;
}

describe("what is not understood", () => {
  test.each([
    ["evnets list", "evnets", "events"],
    ["events lsit", "lsit", "list"],
    ["venue creat", "creat", "create"],
    ["event udpate 7", "udpate", "update"],
    ["profil list", "profil", "profile"],
    ["apii GET x", "apii", "api"],
  ])("cal %s: unknown words get a suggestion", async (line, word, near) => {
    const stderr = await refused(line);
    expect(stderr).toMatch(/^cal: unknown command/);
    expect(stderr).toContain(word);
    expect(stderr).toMatch(new RegExp(`did you mean .*${near}\\?`));
    expect(stderr).toMatch(/^hint: .*cal /m);
  });

  test("abbreviations are not guessed", async () => {
    expect(await refused("ev list")).toContain("unknown command");
    expect(await refused("events li")).toContain("unknown command");
    expect(await refused("events list --feat")).toContain("unknown flag --feat");
  });

  test.each([
    ["venues list --city Paris", "unknown flag --city; venues list can't filter by city: --search finds words, or pipe --json to jq"],
    ["events list --city Paris", "unknown flag --city; events list can't filter by city: --search finds words, or pipe --json to jq"],
    ["events list --cots 5", "unknown flag --cots\n"],
    ["venues get --city Paris", "unknown flag --city\n"],
  ])("cal %s: a field that is no filter gets a hint that names the filter", async (line, reported) => {
    expect(await refused(line)).toContain(reported);
  });

  test("unknown flags are reported at once, with suggestions", async () => {
    const stderr = await refused("events list --serch x --veneu=4 --nope --jsno");
    expect(stderr).toContain("unknown flag --serch; did you mean --search?");
    expect(stderr).toContain("unknown flag --veneu; did you mean --venue?");
    expect(stderr).toMatch(/unknown flag --nope$/m);
    expect(stderr).toContain("unknown flag --jsno; did you mean --json?");
  });

  test("all problems of a command line are reported at once", async () => {
    const stderr = await refused(
      "events create --titel X --start-date 01/02/2026 --end-date tomorow --author abc --format xml --set nope=1",
    );
    for (const part of ["--titel", "--title", "--start-date", "--end-date", "--author", "--format", "nope"]) expect(stderr).toContain(part);
    expect(stderr.match(/^cal: /gm)?.length).toBeGreaterThanOrEqual(6);
  });

  test.each([
    ["events update 7 --set titel=x", "title"],
    ["events update 7 --clear webiste", "website"],
    ["venues create --venue x --set-json adress=1", "address"],
  ])("cal %s: unknown fields get a suggestion", async (line, near) => {
    expect(await refused(line)).toContain(`did you mean ${near}?`);
  });

  test.each([
    ["events get", "which event?"],
    ["events list extra", "extra"],
    ["api", "<method>"],
    ["api GET", "<path>"],
    ["api GET x y", "y"],
    ["events list --limit x", "--limit takes a whole number"],
    ["events list --limit", "--limit"],
    ["events list --page 0", "--page takes a number from 1"],
    ["events list --all --limit 3", "exclude each other"],
    ["events list --search ''", "--search is empty"],
    ["events list --geoloc-lat 1", "--geoloc-lng"],
    ["events list --featured=yes", "--featured"],
    ["events list --retries many", "retries"],
    ["events list --timeout soon", "timeout"],
    ["events list --tz Mars/Olympus", "Mars/Olympus"],
    ["events get a/b", "is not a ref"],
    ["events get ''", "empty"],
    ["events get id:x", "digits"],
    ["events create", "--title is required"],
    ["events delete 7", "confirmation"],
    ["events list --json --format csv", "--json and --format csv contradict each other"],
  ])("cal %s", async (line, reported) => {
    expect(await refused(line)).toContain(reported);
  });

  test.each(["12 2026", "-3", "2026", "-m 12 2026", "12"])("cal %s is the month printer's", async (line) => {
    const stderr = await refused(line);
    expect(stderr).toMatch(/^hint: .*month printer/m);
  });

  test("with --json or ndjson, and no stdout, one line of JSON says so", async () => {
    for (const line of [
      "events lst --json",
      "--json events list --nope",
      "events get 7 --nope --format ndjson",
      "events list --format=json --nope",
    ]) {
      const stderr = await refused(line);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(JSON.parse(stderr)).toEqual({
        error: { code: "usage", message: expect.stringContaining("unknown"), hint: expect.any(String) },
      });
    }
  });
});

describe("what is understood", () => {
  test.each([
    ["event ls", `GET ${ns}/events`],
    ["events show 7", `GET ${ns}/events/7`],
    [
      "venue rm 7 -y",
      `GET ${ns}/venues/7`,
      `GET ${ns}/events?per_page=50&start_date=1900-01-01%2000%3A00%3A00&end_date=9999-12-30%2023%3A59%3A59&venue[]=7`,
      `DELETE ${ns}/venues/7`,
    ],
    ["venue rm 7 -y --raw", `DELETE ${ns}/venues/7`],
    ["tag add --name free", `POST ${ns}/tags {"name":"free"}`],
    ["organizer get 7", `GET ${ns}/organizers/7`],
    ["category ls", `GET ${ns}/categories`],
    ["-y events delete 7", `GET ${ns}/events/7`, `DELETE ${ns}/events/7`],
    ["--format json events list --per-page 3", `GET ${ns}/events?per_page=3`],
    ["events --json list --search=x=y", `GET ${ns}/events?search=x%3Dy`],
    ["events list --search -x-", `GET ${ns}/events?search=-x-`],
    ["events list --search=--all", `GET ${ns}/events?search=--all`],
    ["events get -- jazz", `GET ${ns}/events/by-slug/jazz`],
    ["events get --json -- --all", `GET ${ns}/events/by-slug/--all`],
    ["events list --featured --no-featured", `GET ${ns}/events?featured=false`],
    ["events list --no-featured --featured", `GET ${ns}/events?featured=true`],
    ["--namespace a/b/v1 events list", "GET /wp-json/a/b/v1/events"],
    ["events list --namespace a/b/v1", "GET /wp-json/a/b/v1/events"],
  ])("cal %s", async (line, ...requests) => {
    const { code, stderr } = await cal(line);
    expect({ seen: server.receivedRequests, code }, stderr).toEqual({ seen: requests, code: 0 });
  });

  test("every global flag is taken before and after the command", async () => {
    const values: Readonly<Record<string, string>> = {
      "base-url": server.url,
      "auth-url": server.url,
      namespace: "a/v1",
      "client-id": "x",
      username: "x",
      tz: "UTC",
      fields: "id",
      field: "id",
      columns: "id",
      timeout: "3s",
      retries: "1",
      concurrency: "2",
    };
    const skipped = ["profile", "sandbox", "ca-file"];
    for (const { name, type, choices } of globalFlags.filter((flag) => !skipped.includes(flag.name))) {
      const flag =
        name === "excel"
          ? ["--excel", "--format", "csv"]
          : type === "boolean"
            ? [`--${name}`]
            : [`--${name}`, choices?.[0] ?? values[name] ?? "1"];
      for (const argv of [
        [...flag, "events", "get", "7"],
        ["events", ...flag, "get", "7"],
        ["events", "get", "7", ...flag],
      ]) {
        const { code, stderr } = await cal.runArgs(argv);
        expect({ argv, code }, stderr).toEqual({ argv, code: 0 });
      }
    }
  });

  test("environment variables replace flags, and flags win over them", async () => {
    await other("events list");
    await other("events list --namespace b/v1 --per-page 8");
    expect(server.receivedRequests).toEqual(["GET /wp-json/a/v1/events?per_page=7", "GET /wp-json/b/v1/events?per_page=8"]);
  });
});

describe("quiet", () => {
  test("-q leaves out notices, and keeps warnings, errors and data", async () => {
    server.responses.set(`${ns}/events/7`, { id: 7, title: "kept otherwise" });
    const loud = await cal("events update 7 --title X");
    const quiet = await cal("events update 7 --title X -q");
    expect(loud.stderr).toContain("Updated event 7");
    expect(quiet.stderr).toMatch(/^warning: .*\n$/);
    expect(quiet.stdout).toBe(loud.stdout);
    expect((await cal("events lst -q")).stderr).toContain("unknown command");
  });
});
