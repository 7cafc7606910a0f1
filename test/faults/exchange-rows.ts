// Faults after the request was sent: lost answers, and answers that ask to come again.
import { answer, fine, missing, reply, reset, silence, tag } from "./acts.ts";
import { create, get, remove, update } from "./lines.ts";
import type { Act, Group } from "./row.ts";

const unknown = "the outcome is unknown: it may have been done";
const search = "cal tags list --search free --include-empty";
const half: Act = { send: reply(200, tag).slice(0, -10), next: "end" };
const halfReset: Act = { send: reply(200, tag).slice(0, -10), next: "reset" };
const afterwards: Act = { send: reply(200, tag), next: "reset" };
const noHead: Act = { send: "HTTP/1.1 200 OK\r\nContent-", next: "hang" };
const noBody: Act = { send: reply(200, tag).slice(0, -10), next: "hang" };
const drip: Act = { send: reply(200, tag), next: "hang", drip: 20 };
const tooLong: Act = { send: reply(200, tag, { "Content-Length": "500" }), next: "end" };
const tooShort: Act = { send: reply(200, tag, { "Content-Length": "10" }), next: "end" };
const noHttp: Act = { send: "220 mail.example ESMTP\r\n", next: "end" };
const closing: Act = { send: reply(200, tag), next: "end" };
const music: Act = { send: reply(200, '{"categories":[{"id":3,"name":"Music","slug":"music"}],"total":1}'), next: "end" };
const quick = "--timeout 300ms --retries 1";

/** Lost answers. */
export const lost: Group = {
  title: "Lost answers",
  rows: [
    {
      fault: "the connection ends before the answer",
      at: { acts: [silence] },
      line: get,
      code: 7,
      says: ["the server closed the connection before its answer was complete"],
      sent: 4,
      again: 3,
    },
    { fault: "the same, then it works", at: { acts: [silence, reset, fine] }, line: get, code: 0, says: ["free"], sent: 3, again: 2 },
    { fault: "the same, for an update", at: { acts: [silence, fine] }, line: update, code: 0, says: ["free"], sent: 2, again: 1 },
    {
      fault: "the same, for an update, every time",
      at: { acts: [silence] },
      line: update,
      code: 7,
      says: [unknown, "cal tags get 7"],
      sent: 4,
      again: 3,
    },
    { fault: "the same, for a create", at: { acts: [silence, fine] }, line: create, code: 7, says: [unknown, search], sent: 1, again: 0 },
    {
      fault: "the connection is reset before the answer",
      at: { acts: [reset, fine] },
      line: get,
      code: 0,
      says: ["free"],
      sent: 2,
      again: 1,
    },
    {
      fault: "the same, for a create",
      at: { acts: [reset, fine] },
      line: create,
      code: 7,
      says: ["the connection was reset", unknown, search],
      sent: 1,
      again: 0,
    },
    {
      fault: "the same, for a create of an event",
      at: { acts: [reset] },
      line: "events create --title 'Jazz; now' --start-date 2027-02-01 --duration 1h --status draft",
      code: 7,
      says: [unknown, "cal events list --search 'Jazz; now' --all-dates --status draft"],
      sent: 1,
      again: 0,
    },
    {
      fault: "a delete is lost, and repeated finds nothing",
      at: { acts: [reset, missing] },
      line: remove,
      code: 0,
      says: ["{}"],
      sent: 2,
      again: 1,
    },
    {
      fault: "a delete finds nothing at once",
      at: { acts: [missing] },
      line: remove,
      code: 3,
      says: ["There is no such tag"],
      sent: 1,
      again: 0,
    },
    {
      fault: "a delete is answered 429, and repeated finds nothing",
      at: { acts: [answer(429, "{}"), missing] },
      line: remove,
      code: 3,
      says: ["There is no such tag"],
      sent: 2,
      again: 1,
    },
    {
      fault: "a proxy gives up on a delete (504), and repeated it finds nothing",
      at: { acts: [answer(504, "{}"), missing] },
      line: remove,
      code: 0,
      says: ["{}"],
      sent: 2,
      again: 1,
    },
    { fault: "the body is cut", at: { acts: [half, halfReset, fine] }, line: get, code: 0, says: ["free"], sent: 3, again: 2 },
    {
      fault: "the body of a create's answer is cut",
      at: { acts: [half, fine] },
      line: create,
      code: 7,
      says: [unknown, search],
      sent: 1,
      again: 0,
    },
    {
      fault: "the connection is reset after the answer",
      at: { acts: [afterwards] },
      line: create,
      code: 0,
      says: ["7"],
      sent: 1,
      again: 0,
    },
    { fault: "Content-Length is more than there is", at: { acts: [tooLong, fine] }, line: get, code: 0, says: ["free"], sent: 2, again: 1 },
    {
      fault: "Content-Length is less than there is",
      at: { acts: [tooShort] },
      line: get,
      code: 7,
      says: ["can't be read (200, application/json)"],
      sent: 1,
      again: 0,
    },
    { fault: "the answer is not HTTP", at: { acts: [noHttp] }, line: get, code: 7, says: ["the answer is not HTTP"], sent: 1, again: 0 },
    {
      fault: "no answer comes",
      at: { acts: [{ send: "", next: "hang" }] },
      line: `${get} ${quick}`,
      code: 7,
      says: ["no answer came within 0.3 s", "--timeout 2m"],
      sent: 2,
      again: 1,
    },
    {
      fault: "no answer comes to a create",
      at: { acts: [{ send: "", next: "hang" }] },
      line: `${create} ${quick}`,
      code: 7,
      says: ["no answer came within 0.3 s", unknown, search],
      sent: 1,
      again: 0,
    },
    {
      fault: "the head stalls",
      at: { acts: [noHead] },
      line: `${get} ${quick}`,
      code: 7,
      says: ["no answer came within 0.3 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "the body stalls",
      at: { acts: [noBody] },
      line: `${get} ${quick}`,
      code: 7,
      says: ["the answer was not complete within 0.3 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "the answer drips, a byte at a time",
      at: { acts: [drip] },
      line: `${get} ${quick}`,
      code: 7,
      says: ["within 0.3 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "the server ends a kept connection between two requests",
      at: { acts: [closing] },
      line: "tags get 7 8 --field name",
      code: 0,
      says: ["free"],
      sent: 2,
      again: 0,
    },
    {
      fault: "the same between a lookup and a create",
      at: { acts: [music, closing] },
      line: "categories create --name free --parent music --field id",
      code: 0,
      says: ["7"],
      sent: 2,
      again: 0,
    },
  ],
  proven: [
    {
      fault: "a create never goes over a kept connection",
      outcome: "0",
      test: "test/faults/wire.test.ts",
      words: "a create never goes over a connection that was used before",
    },
    {
      fault: "the time for a connection is over, and it comes about afterwards",
      outcome: "7",
      test: "test/faults/wire.test.ts",
      words: "what was given up is not sent when the connection comes late",
    },
  ],
};

const later = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  answer(status, '{"code":"busy","message":"Busy."}', headers);

/** Answers that ask to come again. */
export const busy: Group = {
  title: "A server that is busy or broken",
  rows: [
    {
      fault: "429, then it works",
      at: { acts: [later(429), fine] },
      line: get,
      code: 0,
      says: ["the server answered 429; trying again in 0."],
      sent: 2,
      again: 1,
    },
    { fault: "429 every time", at: { acts: [later(429)] }, line: get, code: 7, says: ["Busy.", "try again later"], sent: 4, again: 3 },
    { fault: "429, for a create", at: { acts: [later(429), fine] }, line: create, code: 7, says: ["Busy."], sent: 1, again: 0 },
    {
      fault: "503 with Retry-After in seconds",
      at: { acts: [later(503, { "Retry-After": "7" }), fine] },
      line: update,
      code: 0,
      says: ["trying again in 7.0 s (1 of 3)"],
      sent: 2,
      again: 1,
    },
    {
      fault: "503 with Retry-After as a date",
      at: { acts: [later(503, { "Retry-After": "Fri, 15 Jan 2027 12:00:05 GMT" }), fine] },
      line: get,
      code: 0,
      says: ["trying again in 5.0 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "the same by a server whose clock is slow",
      at: { acts: [later(503, { Date: "Fri, 15 Jan 2027 11:00:00 GMT", "Retry-After": "Fri, 15 Jan 2027 11:00:08 GMT" }), fine] },
      line: get,
      code: 0,
      says: ["trying again in 8.0 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "Retry-After is a date of the past",
      at: { acts: [later(503, { "Retry-After": "Fri, 15 Jan 2021 12:00:00 GMT" }), fine] },
      line: get,
      code: 0,
      says: ["trying again in 0.0 s"],
      sent: 2,
      again: 1,
    },
    {
      fault: "Retry-After is longer than the 30 s in all",
      at: { acts: [later(429, { "Retry-After": "31" })] },
      line: get,
      code: 7,
      says: ["try again in 31 s: the server asks for it"],
      sent: 1,
      again: 0,
    },
    {
      fault: "Retry-After uses the 30 s up",
      at: { acts: [later(503, { "Retry-After": "12" })] },
      line: get,
      code: 7,
      says: ["(2 of 3)"],
      sent: 3,
      again: 2,
    },
    {
      fault: "Retry-After is no time",
      at: { acts: [later(503, { "Retry-After": "soon" }), fine] },
      line: get,
      code: 0,
      says: ["trying again in 0."],
      sent: 2,
      again: 1,
    },
    { fault: "500 is not repeated", at: { acts: [later(500)] }, line: get, code: 7, says: ["Busy."], sent: 1, again: 0 },
    { fault: "500, for a create", at: { acts: [later(500)] }, line: create, code: 7, says: [unknown, search], sent: 1, again: 0 },
    { fault: "502, for a create", at: { acts: [later(502), fine] }, line: create, code: 7, says: [unknown, search], sent: 1, again: 0 },
    {
      fault: "503, for a create: it was refused",
      at: { acts: [later(503, { "Retry-After": "9" }), fine] },
      line: create,
      code: 7,
      says: ["Busy.", "try again in 9 s"],
      sent: 1,
      again: 0,
    },
  ],
  proven: [
    {
      fault: "the pauses grow, are not the same twice, and end after 30 s also where the clock jumps",
      outcome: "7",
      test: "test/faults/wire.test.ts",
      words: "no attempt begins later than 30 s after the first",
    },
  ],
};
