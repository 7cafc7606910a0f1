// Answers of a server, to the byte.
import type { ServerAction } from "./row.ts";

const reasons: Readonly<Record<number, string>> = { 200: "OK", 404: "Not Found", 503: "Service Unavailable" };

/** An answer with its length in the head. */
export function formatRawResponse(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const head = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasons[status] ?? "Fault"}\r\n${lines.join("")}\r\n${body}`;
}

/** An answer that is as it should be, on a connection that stays open. */
export function createResponseAction(status: number, body: string, headers?: Readonly<Record<string, string>>): ServerAction {
  return { send: formatRawResponse(status, body, headers), next: "keep" };
}

/** The record that all commands of the table are about. */
export const tagRecord = '{"id":7,"name":"free","slug":"free"}';

/** It is answered. */
export const okResponse: ServerAction = createResponseAction(200, tagRecord);

/** The answer to a list in which nothing is found. */
export const noRecords: ServerAction = createResponseAction(200, "[]");

/** The answers to what a delete reads first: the record, and the events that have it. */
export const readsBeforeDelete: readonly ServerAction[] = [okResponse, noRecords];

/** It is not there. */
export const notFoundResponse: ServerAction = createResponseAction(
  404,
  '{"code":"term-not-found","message":"There is no such tag.","data":{"status":404}}',
);

/** The connection ends without a word. */
export const closeConnection: ServerAction = { send: "", next: "end" };

/** The connection is reset without a word. */
export const resetConnection: ServerAction = { send: "", next: "reset" };
