// Sources at an address through the command: what has to be allowed, what is recorded of the address, and what is refused.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { expectExitCode } from "../../helpers/session.ts";
import { openSandboxSession } from "../records/sandbox.ts";

const feed = [
  "BEGIN:VCALENDAR",
  "BEGIN:VEVENT",
  "UID:7@example.com",
  "DTSTART:20270302T180000Z",
  "SUMMARY:Fed Night",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "UID:8@example.com",
  "SUMMARY:No Start",
  "END:VEVENT",
  "END:VCALENDAR",
  "",
].join("\r\n");

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const allowed = "--allow-http-source --allow-private-source";

/** The texts of all files below a folder, with their names. */
function readTree(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => (entry.isFile() ? `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), "utf8")}` : entry.name))
    .join("\n");
}

test("a feed on this machine must be allowed; its path is in no message, plan, ledger or journal", async () => {
  const { cal } = await openSandboxSession("generic");
  let requests = 0;
  const origin = await serve((_request, response) => {
    requests += 1;
    response.writeHead(200, { "content-type": "text/calendar" }).end(feed);
  });
  const address = `${origin}/s3cret/club.ics?token=s3cret`;
  const refusals = [
    await expectExitCode(cal(`events import ${address} --yes`), 2),
    await expectExitCode(cal(`events import ${address} --yes --allow-private-source`), 2),
    await expectExitCode(cal(`events import ${address} --yes --allow-http-source`), 2),
  ];
  expect(refusals[0]?.stderr).toContain("--allow-http-source");
  expect(refusals[2]?.stderr).toContain("--allow-private-source");
  expect(requests).toBe(0);
  const plan = join(cal.folder, "plan.json");
  const planned = await expectExitCode(cal(`events import ${address} ${allowed} --plan-out ${plan}`), 8);
  const first = await expectExitCode(cal(`events import ${address} ${allowed} --yes --json`), 8);
  expect(first.stdout).toContain('"status": "done"');
  expect(first.stderr).toContain(`${origin}:7: the event has no DTSTART`);
  const second = await expectExitCode(cal(`events import ${address} ${allowed} --yes`), 8);
  expect(second.stderr).toContain("0 written, 1 unchanged");
  const log = await cal("log --json");
  const shown = [...refusals, planned, first, second, log].flatMap(({ stdout, stderr }) => [stdout, stderr]).join("\n");
  expect(`${shown}\n${readFileSync(plan, "utf8")}\n${readTree(join(cal.folder, "state"))}`).not.toContain("s3cret");
});

test("--url-file reads the address, and --source names the ledger", async () => {
  const { cal } = await openSandboxSession("generic");
  let requests = 0;
  const origin = await serve((_request, response) => {
    requests += 1;
    response.end(feed.replace(/BEGIN:VEVENT\r\nUID:8[\s\S]*?END:VEVENT\r\n/, ""));
  });
  const file = join(cal.folder, "address.txt");
  writeFileSync(file, `${origin}/s3cret.ics\n`);
  const unnamed = await expectExitCode(cal(`events import --url-file ${file} ${allowed} --yes`), 2);
  expect(unnamed.stderr).toContain("--source");
  await expectExitCode(cal(`events import other.csv --url-file ${file} --source club ${allowed} --yes`), 2);
  expect(requests).toBe(0);
  await expectExitCode(cal(`events import --url-file ${file} --source club ${allowed} --yes`), 0);
  // The feed has moved; the name of the source has not.
  writeFileSync(file, `${origin}/other.ics\n`);
  const second = await expectExitCode(cal(`events import --url-file ${file} --source club ${allowed} --yes`), 0);
  expect(second.stderr).toContain("0 written, 1 unchanged");
  expect(readdirSync(join(cal.folder, "state", "ledgers")).join()).toMatch(/^events-club-/);
  expect(readTree(join(cal.folder, "state"))).not.toContain("s3cret");
});

test.each<[string, RequestListener, number, string]>([
  [
    "redirects without an end",
    (_request, response) => void response.writeHead(302, { location: "/" }).end(),
    2,
    "redirects more than 5 times",
  ],
  ["a redirect to a file", (_request, response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(), 2, "file:"],
  ["an address that is gone", (_request, response) => void response.writeHead(404).end(), 7, "answered 404"],
  ["a web page", (_request, response) => void response.end("<!doctype html><html>s3cret</html>"), 2, "is a web page"],
  [
    "an answer that stops",
    (_request, response) => void response.writeHead(200, { "content-length": "9999" }).write("BEGIN:VCALENDAR"),
    7,
    "1 s",
  ],
])("%s: nothing is sent", async (_name, listener, code, message) => {
  const { cal } = await openSandboxSession("generic");
  const origin = await serve(listener);
  const { stderr } = await expectExitCode(cal(`events import ${origin}/s3cret ${allowed} --yes --timeout 1s`), code);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("s3cret");
  expect((await cal("log --format count")).stdout.trim()).toBe("0");
});
