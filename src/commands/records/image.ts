// `--image @poster.jpg`: a picture of this machine is uploaded first, and deleted again where the write that it was uploaded for fails.
import { resolve } from "node:path";
import type { RecordSource } from "../../api/refs.ts";
import type { Input } from "../../api/request.ts";
import { createSiteId } from "../../changes/change.ts";
import { type ImageFile, readImageFile } from "../../changes/image-file.ts";
import { createMediaChange, discardUpload, requireMediaPath, uploadFile } from "../../changes/media.ts";
import { openUploads } from "../../changes/uploads.ts";
import { PlannedRequest } from "../../http/transport.ts";
import type { Outcome, Report } from "../../output/report.ts";
import { type RecordCommand, tryParseFlag } from "./command.ts";
import { addPlannedRequests } from "./links.ts";

/** Does a write with the input, after the picture that it names was uploaded. */
export type WriteWithImage = (site: RecordSource, input: Input, write: (input: Input) => Promise<Report>) => Promise<Report>;

/** Reads the file, and returns what uploads it before a write. */
export function createImageUpload(command: RecordCommand, path: string): WriteWithImage {
  const { problems, serverProfile } = command;
  const file = tryParseFlag("image", problems, () => {
    requireMediaPath({ serverProfile });
    return readImageFile(resolve(path));
  });
  return (site, input, write) => {
    if (file === undefined) throw new Error("a picture that can't be read is a problem of the command");
    return uploadAndWrite(command, site, file, (image) => write({ ...input, image }));
  };
}

async function uploadAndWrite(
  { context, settings, invocation }: RecordCommand,
  site: RecordSource,
  file: ImageFile,
  write: (image: unknown) => Promise<Report>,
): Promise<Report> {
  const journal = await context.journal();
  const target = { site, journal, uploads: openUploads(context.folders.state, createSiteId(settings)) };
  const altText = invocation.flags["image-alt"];
  const change = createMediaChange(file, altText === undefined ? undefined : String(altText));
  const uploaded = await uploadFile(target, change, file);
  if (uploaded instanceof PlannedRequest) {
    const image = journal.plan === undefined ? `(id of the new picture ${JSON.stringify(file.path)})` : { key: change.key };
    return addPlannedRequests([uploaded], await write(image));
  }
  const { id, isNew, record } = uploaded;
  if (isNew) await context.notice(`Uploaded ${file.path} as picture ${id}`);
  else if (altText !== undefined && record["alt_text"] !== altText)
    await context.warn(
      `${file.path} is on the site already (${id}), and keeps its alternative text ${JSON.stringify(record["alt_text"] ?? "")}`,
    );
  const end = async (isUsed: boolean, cause?: unknown) => {
    if (!isNew && isUsed && context.globals["dry-run"] !== true) target.uploads.share(file.sha256);
    if (isNew && !isUsed) await discardUpload(target, change, id, cause, context.warn);
  };
  let report: Report;
  try {
    report = await write(id);
  } catch (error) {
    await end(false, error);
    throw error;
  }
  if (report.kind !== "outcomes") {
    await end(report.kind !== "nothing");
    return report;
  }
  const { outcomes } = report;
  return { ...report, outcomes: trackUse(outcomes, end) };
}

/** The same outcomes. After the last one `end` is told whether a record was written, or may have been. */
async function* trackUse(
  outcomes: AsyncIterable<readonly Outcome[]> | readonly Outcome[],
  end: (isUsed: boolean, cause?: unknown) => Promise<void>,
): AsyncGenerator<readonly Outcome[]> {
  let isUsed = false;
  let cause: unknown;
  try {
    for await (const batch of outcomes) {
      const list = Array.isArray(batch) ? batch : [batch];
      isUsed ||= list.some(({ ok }) => ok);
      cause ??= list.find(({ error }) => error !== undefined)?.error;
      yield list;
    }
  } finally {
    await end(isUsed, cause);
  }
}
