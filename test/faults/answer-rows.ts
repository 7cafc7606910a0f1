// Answers that lead away, or are none; and what never leaves the machine.
import { answer, fine } from "./acts.ts";
import { create, get, remove, update } from "./lines.ts";
import type { Act, Group } from "./row.ts";

const to = (status: number, location: string): Act => answer(status, "", { Location: location });
const page = "<html><body><h1>Maintenance</h1></body></html>";
const html = { "Content-Type": "text/html; charset=UTF-8" };

/** Redirects. */
export const redirects: Group = {
  title: "Redirects",
  rows: [
    { fault: "within the origin", at: { acts: [to(301, "/wp-json/calendar/events/v1/tags/7/"), fine] }, line: get, code: 0, says: ["free"], sent: 2, again: 0 },
    ...[301, 302, 303, 307, 308].map((status) => ({ fault: `${status} to another origin`, at: { acts: [to(status, "{other}/wp-json/")] }, line: get, code: 10, says: ["the site sends this request on to http://127.0.0.1:", "the access stays with http://127.0.0.1:{port}", "cal config set base_url"], sent: 1, again: 0 })),
    { fault: "to another scheme, http to https", at: { acts: [to(301, "https://127.0.0.1:9/wp-json/")] }, line: get, code: 10, says: ["the site sends this request on to https://127.0.0.1:9", "cal config set base_url https://127.0.0.1:9/wp-json"], sent: 1, again: 0 },
    { fault: "to another name of the same server", at: { acts: [to(302, "http://localhost:{port}/")] }, line: get, code: 10, says: ["the access stays with"], sent: 1, again: 0 },
    { fault: "to a name that only begins like the site's", at: { acts: [to(302, "{origin}.example/")] }, line: get, code: 10, says: ["no address of a site"], sent: 1, again: 0 },
    { fault: "with a user name in front of another origin", at: { acts: [to(302, "{origin}@other.example/")] }, line: get, code: 10, says: ["the site sends this request on to http://other.example"], sent: 1, again: 0 },
    { fault: "to what is no address", at: { acts: [to(302, "http://")] }, line: get, code: 10, says: ["what is no address of a site"], sent: 1, again: 0 },
    { fault: "to a script", at: { acts: [to(302, "javascript:alert(1)")] }, line: get, code: 10, says: ["what is no address of a site"], sent: 1, again: 0 },
    { fault: "to itself, again and again", at: { acts: [to(302, "/wp-json/calendar/events/v1/tags/7")] }, line: get, code: 10, says: ["more than 5 times", "cal init <site-url>"], sent: 6, again: 0 },
    ...[301, 302, 303, 307, 308].map((status) => ({ fault: `${status} of a create within the origin`, at: { acts: [to(status, "/wp-json/calendar/events/v1/tags/"), fine] }, line: create, code: 10, says: ["the site sends this POST on to /wp-json/calendar/events/v1/tags/; it was not repeated there"], sent: 1, again: 0 })),
    ...[301, 302, 307, 308].map((status) => ({ fault: `${status} of a create to another origin`, at: { acts: [to(status, "{other}/")] }, line: create, code: 10, says: ["the access stays with"], sent: 1, again: 0 })),
    { fault: "308 of an update", at: { acts: [to(308, "/x"), fine] }, line: update, code: 10, says: ["it was not repeated there"], sent: 1, again: 0 },
    { fault: "301 of a delete", at: { acts: [to(301, "/x"), fine] }, line: remove, code: 10, says: ["it was not repeated there"], sent: 1, again: 0 },
    { fault: "to the login page", at: { acts: [to(302, "/wp-login.php"), answer(200, page, html)] }, line: get, code: 7, says: ["can't be read (200, text/html"], sent: 2, again: 0 },
    { fault: "a redirect without an address", at: { acts: [answer(302, page, html)] }, line: get, code: 7, says: ["can't be read (302, text/html"], sent: 1, again: 0 },
  ],
  proven: [],
};

/** Answers that are none. */
export const bad: Group = {
  title: "Bad answers",
  rows: [
    { fault: "a web page with 200", at: { acts: [answer(200, page, html)] }, line: get, code: 7, says: ['can\'t be read (200, text/html; charset=UTF-8): it starts with "<html>', "cal init"], sent: 1, again: 0 },
    { fault: "a web page with 200, for a create", at: { acts: [answer(200, page, html)] }, line: create, code: 7, says: ["the outcome is unknown", "cal tags list --search free"], sent: 1, again: 0 },
    { fault: "a maintenance page with 503", at: { acts: [answer(503, page, html), fine] }, line: get, code: 0, says: ["free"], sent: 2, again: 1 },
    { fault: "a maintenance page with 503, every time", at: { acts: [answer(503, page, { ...html, "Retry-After": "3" })] }, line: get, code: 7, says: ["can't be read (503, text/html", "try again in 3 s"], sent: 4, again: 3 },
    { fault: "a maintenance page with 503, for a create", at: { acts: [answer(503, page, html)] }, line: create, code: 7, says: ["can't be read (503", "try again later"], sent: 1, again: 0 },
    { fault: "a firewall's page with 403", at: { acts: [answer(403, page, html)] }, line: get, code: 5, says: ["something before the site refused the request"], sent: 1, again: 0 },
    { fault: "a web page with 404", at: { acts: [answer(404, page, html)] }, line: get, code: 10, says: ["there is no calendar interface at this address"], sent: 1, again: 0 },
    { fault: "warnings of PHP before the JSON", at: { acts: [answer(200, `<br />\n<b>Warning</b>: x${"{}"}`)] }, line: get, code: 7, says: ["it starts with"], sent: 1, again: 0 },
    { fault: "warnings of PHP after the JSON", at: { acts: [answer(200, "{}<br />\n<b>Warning</b>: x")] }, line: get, code: 7, says: ["it starts with"], sent: 1, again: 0 },
    { fault: "no body", at: { acts: [answer(200, "")] }, line: get, code: 7, says: ["it is empty"], sent: 1, again: 0 },
    { fault: "null", at: { acts: [answer(200, "null")] }, line: get, code: 7, says: ["no tag"], sent: 1, again: 0 },
  ],
  proven: [
    { fault: "gzip, brotli and deflate; a byte order mark", outcome: "0", test: "test/replies/unshown.test.ts", words: "in %s are decoded" },
    { fault: "broken gzip, invalid UTF-8, an unknown coding", outcome: "7", test: "test/replies/unshown.test.ts", words: "a gzip that is cut" },
    { fault: "over 64 MB, packed or not", outcome: "7", test: "test/replies/unshown.test.ts", words: "are refused beyond 64 MB" },
    { fault: "nesting deeper than 500 levels", outcome: "7", test: "test/replies/unshown.test.ts", words: "nested deeper than 500 levels" },
    { fault: "integers beyond 2^53, duplicate keys, a key `__proto__`", outcome: "0, exact", test: "test/replies/unshown.test.ts", words: "a key __proto__ is a key like any other" },
    { fault: "wrong types where a record is expected", outcome: "7", test: "test/replies/unshown.test.ts", words: "is not %s" },
    { fault: "totals that lie, pages that repeat or shrink while they are read", outcome: "0, nothing lost or twice", test: "test/records/paging.test.ts", words: "total" },
  ],
};

const plain = { url: "http://calendar.example/wp-json" } as const;

/** What never leaves this machine. */
export const safety: Group = {
  title: "What is never sent",
  rows: [
    ...[get, create, update, remove].map((line) => ({ fault: "a secret over plain http to another machine", at: plain, line, code: 2, says: ["nothing was sent: over plain http", "cal config set allow_http true", "CAL_ALLOW_HTTP=1"], sent: 0, again: 0 })),
    { fault: "a token in a header of the profile's own, over plain http", at: { url: "http://192.0.2.1/wp-json" }, line: get, code: 2, says: ["nothing was sent"], sent: 0, again: 0 },
    { fault: "the same with an explicit yes", at: { acts: [fine], proxies: "http://calendar.example" }, line: get, code: 0, says: ["free"], sent: 1, again: 0 },
    { fault: "a whole URL in place of a path", at: { acts: [fine] }, line: "api GET https://other.example/x", code: 2, says: ["whole URLs are refused"], sent: 0, again: 0 },
    { fault: "a path that leaves the site's interface", at: { acts: [fine] }, line: "api GET events/..%2f..%2fx", code: 2, says: ["is no path"], sent: 0, again: 0 },
    ...["..", "..%2fusers", "%2e%2e", "a/b", "slug:..", "slug:../x", "slug:%2F"].map((ref) => ({ fault: "a slug that leaves its path", at: { acts: [fine] }, line: `events get ${ref}`, code: 2, says: ["slug"], sent: 0, again: 0 })),
    ...["a?b", "a#b", "'a b'", "🎷-night", "%3Fid=9"].map((ref) => ({ fault: "a slug with signs of a URL stays one part of the path", at: { acts: [fine] }, line: `events get ${ref} --field name`, code: 0, says: ["free"], sent: 1, again: 0 })),
  ],
  proven: [
    { fault: "any command that writes under `--dry-run`, `--read-only` or `CAL_READ_ONLY`", outcome: "0 or 5, no write at the server", test: "test/sessions/writing.test.ts", words: "under --read-only, CAL_READ_ONLY or a read-only profile is exit 5" },
    { fault: "a stored login to another origin than it was made for", outcome: "4, nothing sent", test: "test/auth/session.test.ts", words: "origin-changed" },
    { fault: "control characters, escape sequences and bidirectional overrides of a server", outcome: "never on a terminal", test: "test/faults/hostile.test.ts", words: "reaches no terminal" },
  ],
};

/** The process and its streams. */
export const streams: Group = {
  title: "Signals and streams",
  rows: [],
  proven: [
    { fault: "SIGINT", outcome: "130", test: "test/sessions/pipes.test.ts", words: '["INT", 130]'.slice(1, -1) },
    { fault: "SIGTERM", outcome: "143", test: "test/sessions/pipes.test.ts", words: '["TERM", 143]'.slice(1, -1) },
    { fault: "SIGINT and SIGTERM at any moment", outcome: "130 or 143, no temporary file", test: "test/faults/signals.test.ts", words: "leaves no temporary file" },
    { fault: "a reader that goes away (`| head`)", outcome: "0", test: "test/sessions/pipes.test.ts", words: "a reader that goes away is no error" },
    { fault: "a disk that is full (`> /dev/full`)", outcome: "10", test: "test/sessions/pipes.test.ts", words: "a disk that is full is a local fault" },
    { fault: "5 MB through a slow pipe", outcome: "0, whole", test: "test/sessions/pipes.test.ts", words: "a slow reader gets all of it" },
    { fault: "a closed standard input", outcome: "0 or 2", test: "test/faults/signals.test.ts", words: "a closed standard input" },
  ],
};
