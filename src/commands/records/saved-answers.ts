// The answers of a create that was not sent, in a file of the state folder: the next create offers them.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../atomic-file.ts";
import { isRecord } from "../../data-record.ts";
import { readOwnFile } from "../../own-file.ts";
import type { RecordCommand } from "./command.ts";

/** The answer for one field. */
export interface Answer {
  /** As it could be typed in a flag; several for a field of several links. */
  readonly texts: readonly string[];
  /** What the summary shows for each text. */
  readonly labels: readonly string[];
  /** A record that is still to be created. */
  readonly isNew?: boolean;
}

export function createAnswer(text: string, label = text): Answer {
  return { texts: [text], labels: [label] };
}

export function formatAnswer({ labels }: Answer): string {
  return labels.join(", ");
}

/** Answers by the names of their fields. */
export type Answers = Readonly<Record<string, Answer>>;

/** The saved answers of a profile and a resource. The file is a convenience: where it can't be used, there are none, and nothing fails. */
export function openSavedAnswers({ context, resource, settings }: RecordCommand) {
  const path = join(context.folders.state, `answers-${resource.name}-${encodeURIComponent(settings.profile.value)}.json`);
  const ignoreErrors = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  return {
    read: (): Answers => parseAnswers(ignoreErrors(() => JSON.parse(readOwnFile(path) ?? "{}") as unknown)),
    write: (answers: Answers): void => {
      ignoreErrors(() => {
        mkdirSync(context.folders.state, { recursive: true, mode: 0o700 });
        writeFileAtomic(path, `${JSON.stringify(answers)}\n`, { hasLock: false });
      });
    },
    remove: (): void => {
      ignoreErrors(() => rmSync(path, { force: true }));
    },
  };
}

function parseAnswers(data: unknown): Answers {
  if (!isRecord(data)) return {};
  const isTexts = (value: unknown) => Array.isArray(value) && value.every((text) => typeof text === "string");
  const isAnswer = (value: unknown): value is Answer => isRecord(value) && isTexts(value["texts"]) && isTexts(value["labels"]);
  return Object.fromEntries(Object.entries(data).filter((entry): entry is [string, Answer] => isAnswer(entry[1])));
}
