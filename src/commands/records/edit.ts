// `cal <resource> edit`: the record as YAML in the user's editor; only what changes is sent to the server.

import { join } from "node:path";
import type { RecordSource } from "../../api/refs.ts";
import type { PathRef } from "../../api/request.ts";
import { type CurrentRecord, toList, toWritableValue } from "../../api/update.ts";
import type { Context } from "../../context.ts";
import { type DataRecord, getText, idOf, isRecord } from "../../data-record.ts";
import { CalError, formatProblem, listHints, messageOf, toProblem, usageError } from "../../errors.ts";
import { toPlainText } from "../../html-text.ts";
import { stringifyExact, valueToText } from "../../http/json.ts";
import type { Field, Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { ServerProfile } from "../../model/server-profiles.ts";
import { createPlanReport } from "../../output/render.ts";
import type { Report } from "../../output/report.ts";
import { parseYaml, stringifyYaml, stringifyYamlBlock } from "../../output/yaml.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { sanitizeLine, shellQuote, unbreakable } from "../../text.ts";
import type { Handler } from "../command.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import { createRecordCommand, createRecordReport, openSite, type RecordCommand, throwIfProblems, validateOutputFields } from "./command.ts";
import { changesDates, resolveDates } from "./dates.ts";
import { parseDataValues } from "./input.ts";
import { resolveLinksForWrite } from "./links.ts";
import { describeRecord } from "./messages.ts";
import { isPlanned, readOneForWrite, readOneRef } from "./refs.ts";
import { createDocumentReader, parseUpdateMethod, updateRecord, validateClears } from "./update.ts";

/** A record in the editor. */
interface EditSession {
  readonly site: RecordSource;
  readonly user: Prompt;
  readonly path: PathRef;
  /** As it was read. */
  readonly current: CurrentRecord;
  /** Its text before it was edited. */
  readonly original: string;
  readonly editFile: EditFile;
}

/** The handler that edits a record of a resource. Needs a terminal. */
export function edit(resource: Resource): Handler {
  return async (invocation, context) => {
    const problems = [...invocation.problems, ...validateOutputFields(resource, invocation, context)];
    const refs = await readOneRef(resource, invocation, context, problems);
    const command = await createRecordCommand(resource, "edit", invocation, context, problems);
    throwIfProblems(command);
    const user = await findInteractiveUserForWrite(context);
    if (user === undefined)
      throw usageError("edit opens an editor, and there is no terminal", {
        text: "see",
        command: `cal ${resource.name} update --help`,
      });
    const site = await openSite(command);
    const { path: found, current } = await readOneForWrite(command, site, refs);
    const id = idOf(current.record);
    const path: PathRef = id === undefined ? found : { by: "id", id };
    const original = formatRecordAsYaml(resource, current, site.serverProfile);
    const editFile = await createEditFile(context, `${resource.singular}.yaml`, original);
    return editUntilSent(command, { site, user, path, current, original, editFile });
  };
}

/** Edits and sends; after an error that the user can correct in the text, it may be edited again. A text that was not sent is kept. */
async function editUntilSent(command: RecordCommand, session: EditSession): Promise<Report> {
  const { user, editFile, original } = session;
  const editAndSend = async (): Promise<Report> => {
    await editFile.edit();
    try {
      // Each text has its own problems.
      return await sendText({ ...command, problems: [] }, session, await editFile.read());
    } catch (error) {
      if (!isCorrectable(error)) throw error;
      await command.context.say(formatProblem(toProblem(error), unbreakable));
      if (await user.confirm("Edit it again?", true)) return editAndSend();
      throw error;
    }
  };
  try {
    const report = await editAndSend();
    await editFile.remove();
    return report;
  } catch (error) {
    if ((await editFile.read()) === original) await editFile.remove();
    else if (error instanceof CalError) throw withEditFileHint(error, command, session);
    throw error;
  }
}

/** Whether another text may be accepted. */
function isCorrectable(error: unknown): error is CalError {
  if (!(error instanceof CalError)) return false;
  return error.kind === "usage" || (error.kind === "rejected" && error.details.code !== "changed-meanwhile");
}

/** A text sent as a whole would undo what somebody else changed: then only its path is in the hint. */
function withEditFileHint(error: CalError, { resource }: RecordCommand, { path, editFile }: EditSession): CalError {
  const { kind, message, details } = error;
  const ref = path.by === "id" ? path.id : `slug:${path.slug}`;
  const again =
    details.code === "changed-meanwhile"
      ? `your text is kept for ${retentionDays} days: ${editFile.path}`
      : {
          text: `your text is kept for ${retentionDays} days; ${isCorrectable(error) ? "correct it and" : "to send it"}`,
          command: `cal ${resource.name} update ${shellQuote(ref)} --data @${shellQuote(editFile.path)}`,
        };
  return new CalError(kind, message, { ...details, hint: [...listHints(details.hint), again] });
}

/** Shows what changed in the text, and sends it. */
async function sendText(
  command: RecordCommand,
  { site, user, path, current, original, editFile }: EditSession,
  text: string,
): Promise<Report> {
  const { resource, invocation, context, problems } = command;
  const { record } = current;
  const before = parseFieldValues(original);
  const after = parseFieldValues(text);
  const uncommented = uncommentChangedFields(resource, original, text, after);
  if (uncommented !== undefined) {
    await editFile.write(uncommented.text);
    throw usageError(
      `${uncommented.fieldNames.join(" and ")} was changed in a comment, and comments ("#") are not sent`,
      'the "#" is removed now: save the file again to send the text; it replaces the original with its blocks and shortcodes',
    );
  }
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  if (gone.length > 0) await context.notice(`without a line in the file, so not changed: ${gone.join(", ")}`);
  const changes = findChangedValues(before, after);
  // The changes are reported on stderr.
  const createReport = (shown: DataRecord): Report => ({ ...createRecordReport(resource, shown), recordSummary: { fields: [] } });
  if (Object.keys(changes).length === 0) {
    await context.notice(`nothing to change: ${describeRecord(resource, record)}`);
    return createReport(record);
  }
  const input = parseDataValues(resource, changes, "the text", problems);
  problems.push(...validateClears(resource, input, site.serverProfile));
  await resolveDates(command, input, undefined);
  throwIfProblems(command);
  await context.say(formatDiff(before, changes));
  const mustAsk = context.globals["yes"] !== true && context.globals["dry-run"] !== true;
  if (mustAsk && !(await user.confirm("Send this change?", true))) throw new CalError("declined", "nothing was sent", { code: "declined" });
  const { values, plannedRequests, highestIds } = await resolveLinksForWrite(command, site, input, { record, isNew: false });
  const readDocument = createDocumentReader(site);
  const method = parseUpdateMethod(invocation);
  const change = { input: values, changesDates: changesDates(command, values), method, highestIds, readDocument, base: current };
  const updated = await updateRecord({ ...command, verb: "update" }, site, change, path);
  return isPlanned(updated) ? createPlanReport([...plannedRequests, ...updated]) : createReport(updated);
}

// A record as YAML: fields with a value as lines, the others as comments.

type FieldValues = Readonly<Record<string, unknown>>;

/** The text of a record for the editor. */
export function formatRecordAsYaml(resource: Resource, current: CurrentRecord, profile: ServerProfile): string {
  const header = [
    `# ${sanitizeLine(describeRecord(resource, current.record))}`,
    "# Save and leave the editor to send what you change; change nothing to send nothing.",
    '# To empty a field, write "" behind its name ([] for a list). A field without a line stays as it is.',
    "# Linked records are named by id, by slug or by name.",
    '# A long text is below "|-", each line indented by two spaces; anything may be typed there.',
    "",
  ];
  const fields = resource.fields.map((field) => formatFieldAsYaml(field, current, profile).replace(/\n$/, ""));
  return `${[...header, ...fields].join("\n")}\n`;
}

function formatFieldAsYaml(field: Field, { record, raw }: CurrentRecord, profile: ServerProfile): string {
  const { name } = field;
  const source = raw?.values[name];
  const value = source ?? toWritableValue(field, record, profile);
  if (field.format === "html") {
    const text = valueToText(value);
    if (value !== undefined && !profile.rendersText) return stringifyYamlBlock(name, text);
    // A server that renders texts refuses an empty one, and the text of the editor may be sent as a whole.
    if (text === "") return `# ${name}: |-`;
    if (source !== undefined) return stringifyYamlBlock(name, text);
    // What the author wrote can't be restored from the rendered text: sent back, it would replace the original.
    const lines = text.trim().split(/\r?\n/);
    return [
      `# ${name}${readOnlyMarker}; it stays unless you write a new one: "${name}: |-" and the text below, indented`,
      ...lines.map((line) => `#   ${sanitizeLine(line)}`.trimEnd()),
    ].join("\n");
  }
  if (value === undefined) return `# ${name}:`;
  if (field.refersTo === undefined || !Array.isArray(value)) return stringifyYaml({ [name]: value });
  const { titleField } = resources[field.refersTo];
  const names = toList(record[name]).flatMap((item) => (isRecord(item) ? toPlainText(getText(item, titleField)) : []));
  return `${name}: ${stringifyExact(value)}${names.length === 0 ? "" : ` # ${names.join(", ")}`}`;
}

/** After the name of a text that is only shown. */
const readOnlyMarker = ": rendered HTML";

/** The values of a text. Throws a usage error where it is not YAML, or not an object; a text of comments alone has no values. */
export function parseFieldValues(text: string): FieldValues {
  const value = parseEditedYaml(text) ?? {};
  if (isRecord(value)) return value;
  throw usageError("the text does not hold fields and their values");
}

function parseEditedYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch (error) {
    const lines = messageOf(error).split("\n");
    const message = lines.filter((line) => line.trim() !== "").join("\n");
    throw usageError(`the text is not valid YAML: ${message}`, 'put the text in quotes, or below "|-", indented');
  }
}

/** The values that are new or different. */
function findChangedValues(before: FieldValues, after: FieldValues): FieldValues {
  const isSame = (name: string, value: unknown) => Object.hasOwn(before, name) && stringifyExact(before[name]) === stringifyExact(value);
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(name, value)));
}

/** The changes as lines of YAML, `-` for the old and `+` for the new ones. Equal lines at both ends of a long text are left out. */
function formatDiff(before: FieldValues, changes: FieldValues): string {
  const toLines = (name: string, value: unknown) =>
    stringifyYaml({ [name]: value })
      .trimEnd()
      .split("\n");
  return Object.entries(changes)
    .flatMap(([name, value]) => diffLines(Object.hasOwn(before, name) ? toLines(name, before[name]) : [], toLines(name, value)))
    .join("\n");
}

function diffLines(from: readonly string[], to: readonly string[]): readonly string[] {
  const shorter = Math.min(from.length, to.length);
  let head = 0;
  while (head < shorter && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const middle = (lines: readonly string[], mark: string) => lines.slice(head, lines.length - tail).map((line) => `${mark} ${line}`);
  return [...(head === 0 ? [] : [`  ${to[0] ?? ""}`]), ...middle(from, "-"), ...middle(to, "+")];
}

/** Makes fields of the comments that show a text, were changed and have no value beside them; undefined where there is none. */
function uncommentChangedFields(resource: Resource, original: string, edited: string, values: FieldValues) {
  const lines = edited.split(/\r?\n/);
  const fieldNames: string[] = [];
  for (const { name } of resource.fields) {
    const before = findCommentBlock(original.split("\n"), name, resource);
    const after = findCommentBlock(lines, name, resource);
    if (before === undefined || after === undefined || after.lines.length === 0 || Object.hasOwn(values, name)) continue;
    if (after.lines.join("\n") === before.lines.join("\n")) continue;
    fieldNames.push(name);
    const text = after.lines.map((line) => `  ${line.replace(/^# {0,3}/, "")}`.trimEnd());
    lines.splice(after.start, after.lines.length + 1, `${name}: |-`, ...text);
  }
  return fieldNames.length === 0 ? undefined : { text: lines.join("\n"), fieldNames };
}

/** The comment below the line that names the field, up to the next field. */
function findCommentBlock(lines: readonly string[], name: string, { fields }: Resource) {
  const start = lines.findIndex((line) => line.startsWith(`# ${name}${readOnlyMarker}`));
  if (start < 0) return undefined;
  const below = lines.slice(start + 1);
  const isEnd = (line: string) => !line.startsWith("#") || fields.some((field) => line.startsWith(`# ${field.name}:`));
  const end = below.findIndex(isEnd);
  return { start, lines: (end < 0 ? below : below.slice(0, end)).map((line) => line.trimEnd()) };
}

// The text in a file of the state folder. The file exists until the text has been sent.

interface EditFile {
  readonly path: string;
  /** Opens the user's editor. Rejects with kind `declined` where the editor fails, and `local` where it can't be started. */
  edit(): Promise<void>;
  read(): Promise<string>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

const millisecondsPerDay = 86_400_000;

/** Days after its last change for which a text that was not sent is kept. */
const retentionDays = 30;

/** Writes a text where only its owner can read it. Rejects with kind `local` where that is not possible. */
async function createEditFile(context: Context, name: string, text: string): Promise<EditFile> {
  const { folders, env, machine } = context;
  const { mkdir, mkdtemp, readFile, rm, writeFile } = await import("node:fs/promises");
  const onDisk = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      throw new CalError("local", `the text to edit can't be kept: ${messageOf(error)}`, { cause: error });
    });
  await onDisk(mkdir(folders.state, { recursive: true, mode: 0o700 }));
  await removeExpiredEditFiles(context);
  const folder = await onDisk(mkdtemp(join(folders.state, "edit-")));
  const path = join(folder, name);
  await onDisk(writeFile(path, text, { mode: 0o600, flag: "wx" }));
  const editor = env["VISUAL"] || env["EDITOR"] || (machine.platform === "win32" ? "notepad" : "vi");
  return {
    path,
    edit: async () => {
      const code = await machine.edit(editor, path);
      if (code !== 0)
        throw new CalError("declined", `the editor ended with exit code ${code}; nothing was sent`, { code: "editor-failed" });
    },
    read: () => onDisk(readFile(path, "utf8")),
    write: (changed) => onDisk(writeFile(path, changed, { mode: 0o600 })),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Removes the texts that are too old, and reports it. What can't be removed is tried again at the next edit. */
async function removeExpiredEditFiles({ folders, clock, notice }: Context): Promise<void> {
  const { readdir, rm, stat } = await import("node:fs/promises");
  const names = await readdir(folders.state).catch(() => []);
  for (const name of names.filter((one) => /^edit-\w{6}$/.test(one))) {
    const folder = join(folders.state, name);
    const files = (await readdir(folder).catch(() => [])).map((file) => join(folder, file));
    const changed = await Promise.all([folder, ...files].map(async (path) => (await stat(path)).mtimeMs)).catch(() => [clock.now()]);
    if (clock.now() - Math.max(...changed) < retentionDays * millisecondsPerDay) continue;
    const isRemoved = await rm(folder, { recursive: true }).then(
      () => true,
      () => false,
    );
    if (isRemoved) await notice(`removed a text that was not sent for ${retentionDays} days: ${files.join(", ") || folder}`);
  }
}
