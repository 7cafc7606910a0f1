// What the exit codes mean, in the words of the help and the reference.
import { type ErrorKind, exitCodes } from "../errors.ts";

const exitCodeMeanings: Readonly<Record<ErrorKind, string>> = {
  internal: "a defect of the program",
  declined: "the answer to a question was No",
  usage: "wrong flag, value or combination, missing field, or a confirmation is needed; nothing was sent",
  "not-found": "not found: no such record, or a name that nothing has",
  unauthenticated: "not logged in: no token, an expired or a refused one",
  forbidden: "not allowed: the user may not do it, or the profile is read-only",
  rejected: "the server rejected the data, or it conflicts with what is there",
  unavailable: "try again later: network, TLS, timeout, too many requests, a server error, or an answer that can't be read",
  mixed: "of several records some failed, or they failed in different ways",
  findings: "a check found something",
  local: "set-up or local fault: no site chosen, no such interface on the site, or a file that can't be read or written",
  interrupted: "interrupted (SIGINT, Ctrl-C)",
  terminated: "terminated (SIGTERM)",
};

/** Every exit code with its meaning, in ascending order; 0 is first. */
export function listExitCodes(): readonly (readonly [code: number, meaning: string])[] {
  const byCode = new Map<number, string[]>([[0, ["done; an empty list is no failure"]]]);
  for (const [kind, code] of Object.entries(exitCodes) as [ErrorKind, number][]) {
    byCode.set(code, [...(byCode.get(code) ?? []), exitCodeMeanings[kind]]);
  }
  return [...byCode].map(([code, texts]): readonly [number, string] => [code, texts.join("; or ")]).sort(([a], [b]) => a - b);
}
