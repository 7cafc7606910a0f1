// One call of a tool: the command runs in a context of its own, and its report becomes the answer. A write is planned by the first call and
// carried out by the second one.
import { type Change, formatCounts, type Plan } from "../../changes/change.ts";
import { hashText } from "../../changes/compare.ts";
import { assertWithinLimits } from "../../changes/limits.ts";
import type { InterruptionKind } from "../../changes/result.ts";
import type { Invocation } from "../../commands/command.ts";
import { formatFields, formatRecord } from "../../commands/plan.ts";
import { adaptErrorHints } from "../../config/hint-commands.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context, Flags, OpenContext, System } from "../../context.ts";
import { type DataRecord, isRecord } from "../../data-record.ts";
import { CalError, messageOf, usageError } from "../../errors.ts";
import { stringifyExact } from "../../http/json.ts";
import { resources } from "../../model/resources.ts";
import { collectDocument } from "../../output/json.ts";
import { toErrorData } from "../../output/message.ts";
import type { OutputOptions, Report } from "../../output/report.ts";
import { toRows } from "../../output/rows.ts";
import { plainStyle } from "../../terminal/style.ts";
import { sanitizeLine } from "../../text.ts";
import { defaultLimit, isListTool, type JsonSchema, maxImportBytes, type Tool, type ToolOptions } from "./tools.ts";

/** What the client says beside the arguments. */
export interface CallOptions {
  /** Cancelled by the client, or the server ends. */
  readonly signal: AbortSignal;
  /** Whether the client can ask its user. */
  readonly canAsk: boolean;
  /** What the user answered to the question of the same call before. */
  readonly answer?: boolean | undefined;
}

/** The structured answer; or a question for the user, and then the call comes again with the answer. */
export type CallResult =
  | { readonly content: DataRecord; readonly isError: boolean; readonly question?: undefined }
  | { readonly question: string };

/** Runs tools. Writes are carried out one after the other. */
export interface Caller {
  call(tool: Tool, values: DataRecord, options: CallOptions): Promise<CallResult>;
  /** Resolves when no write is under way any more. */
  waitForWrites(): Promise<void>;
}

interface CallerOptions extends ToolOptions {
  /** What is wrong with the arguments of a tool by its schema. */
  readonly validate: (schema: JsonSchema, values: DataRecord) => string | undefined;
}

/** Plans that wait for their second call. */
const maxPending = 100;

export function createCaller(context: Context, settings: Settings, options: CallerOptions): Caller {
  const pending = new Map<string, number>();
  let writes: Promise<unknown> = Promise.resolve();
  const runAlone = <T>(work: () => Promise<T>): Promise<T> => {
    const result = writes.then(work);
    writes = result.catch(() => undefined);
    return result;
  };

  const write = async (tool: Tool, values: DataRecord, notices: string[], { signal, canAsk, answer }: CallOptions): Promise<CallResult> => {
    const { confirm, fields: _fields, ...input } = values;
    assertNotCancelled(signal);
    const isConfirmed = typeof confirm === "string";
    const plannedAt = isConfirmed ? pending.get(confirm) : context.clock.now();
    if (plannedAt === undefined)
      throw new CalError("rejected", `no plan with the hash ${String(confirm)} waits: it was carried out, or it is not of this server`, {
        code: "unknown-plan",
        hint: "call again without confirm for a new plan",
      });
    const command = { tool, values: input, notices, signal, now: plannedAt };
    const plan = await runCommand(context, settings, { ...command, isPlanned: true }, async (report) => toPlan(report));
    assertAllowed(plan.changes, options);
    const hash = hashText(stringifyExact([tool.name, plan]));
    if (!isConfirmed) {
      if (plan.changes.length > 0 && options.allowWrite) {
        pending.delete(hash);
        pending.set(hash, plannedAt);
        for (const oldest of [...pending.keys()].slice(0, -maxPending)) pending.delete(oldest);
      }
      const isOpen = pending.has(hash);
      return { content: { plan: describePlan(plan), ...(isOpen && { confirm: hash }), notices }, isError: false };
    }
    if (hash !== confirm)
      throw new CalError("rejected", "the plan is stale: the arguments or the records on the site are not those of the plan", {
        code: "stale",
        hint: "call again without confirm for a new plan",
      });
    if (canAsk && (plan.changes.length > 1 || plan.changes.some(({ op }) => op === "delete"))) {
      if (answer === undefined) return { question: formatQuestion(plan) };
      if (!answer) throw new CalError("declined", "the user said no; nothing was sent", { code: "declined" });
    }
    assertNotCancelled(signal);
    pending.delete(hash);
    return runCommand(context, settings, { ...command, values, isPlanned: false }, async (report, view) => {
      const rows = await collectRows(report, view);
      const results = report.kind === "outcomes" ? rows.map(trimOutcome) : rows.map((record) => ({ ok: true, record }));
      const code = "exitCode" in report ? (report.exitCode?.() ?? 0) : 0;
      return { content: { results, notices }, isError: code !== 0 };
    });
  };

  const read = (tool: Tool, values: DataRecord, notices: string[], { signal }: CallOptions): Promise<CallResult> => {
    const { input, page, cursorOf } = readPage(tool, values);
    const command = { tool, values: input, notices, signal, now: context.clock.now(), isPlanned: false, page };
    return runCommand(context, settings, command, async (report, view) => {
      const rows = await collectRows(report, view);
      if (report.kind === "list" && report.failure !== undefined) throw report.failure;
      if (!isListTool(getVerb(tool)))
        return { content: { ...(getVerb(tool) === "get" ? { results: rows } : { record: rows[0] }), notices }, isError: false };
      const { total, truncated } = (report.kind === "list" ? report.summary?.() : undefined) ?? {};
      const items = page.isOfServer ? rows : rows.slice(page.offset, page.offset + page.limit);
      const hasMore = page.isOfServer ? truncated === true : rows.length > page.offset + page.limit;
      const count = page.isOfServer ? total : rows.length;
      return {
        content: {
          items,
          ...(count !== undefined && { total: count }),
          ...(hasMore && { next_cursor: cursorOf(page.number + 1) }),
          notices,
        },
        isError: false,
      };
    });
  };

  return {
    call: async (tool, values, call) => {
      const notices: string[] = [];
      try {
        const problem = findUnknown(tool, values) ?? options.validate(tool.inputSchema, values);
        if (problem !== undefined) throw usageError(problem, `the inputSchema of ${tool.name} says what it takes`);
        const bytes = Buffer.byteLength(String(values["text"] ?? ""));
        if (bytes > maxImportBytes) throw usageError(`text has ${bytes} bytes; an import takes ${maxImportBytes}`);
        const result = await (tool.isWrite ? runAlone(() => write(tool, values, notices, call)) : read(tool, values, notices, call));
        return result.question === undefined ? { ...result, content: toSafeData(result.content) } : result;
      } catch (error) {
        const known = error instanceof CalError ? error : new CalError("internal", `internal error: ${messageOf(error)}`, { cause: error });
        const adapted = adaptErrorHints(known, { globals: context.globals, env: context.env, settings });
        return { content: toSafeData({ error: toErrorData(adapted), notices }), isError: true };
      }
    },
    waitForWrites: async () => void (await writes),
  };
}

function assertNotCancelled({ aborted }: AbortSignal): void {
  if (aborted) throw new CalError("interrupted", "cancelled; nothing was sent", { code: "cancelled" });
}

function findUnknown({ inputSchema: { properties } }: Tool, values: DataRecord): string | undefined {
  const unknown = Object.keys(values).filter((name) => !isRecord(properties) || !Object.hasOwn(properties, name));
  return unknown.length === 0 ? undefined : `unknown arguments: ${unknown.slice(0, 20).join(", ").slice(0, 500)}`;
}

const getVerb = ({ spec }: Tool) => spec.path.at(-1) ?? "";

// Running the command.

interface ToolCommand {
  readonly tool: Tool;
  readonly values: DataRecord;
  /** Gets what the command says on stderr. */
  readonly notices: string[];
  readonly signal: AbortSignal;
  /** The moment that dates such as `+2h` count from: a plan and its second call have the same. */
  readonly now: number;
  readonly isPlanned: boolean;
  readonly page?: Page;
}

/** Runs the command of a tool, and gives its report to `use` while the context is open. */
async function runCommand<T>(
  context: Context,
  settings: Settings,
  { tool, values, notices, signal, now, isPlanned, page }: ToolCommand,
  use: (report: Report, view: OutputOptions) => Promise<T>,
): Promise<T> {
  const { invocation, stdin, argv } = tool.toInvocation(values);
  const flags: Flags = {
    ...invocation.flags,
    ...(isPlanned && { "plan-out": true }),
    ...(page?.isOfServer === true && { page: page.number, "per-page": page.limit }),
    ...(getVerb(tool) === "log" && { all: true }),
  };
  const globals: Flags = { ...getSiteFlags(context.globals), json: true, yes: true };
  const signals = createSignals();
  const system = createCallSystem(context, stdin, notices, signals);
  const opened = context.openCommand({ argv, globals, flags }, system, settings);
  const release = signals.follow(signal);
  try {
    await assertOfThisSite(tool, values, opened);
    const handler = await tool.spec.load();
    const clock = { ...opened.clock, now: () => now };
    const report = await handler({ ...invocation, flags } satisfies Invocation, { ...opened, clock });
    const fields = Array.isArray(values["fields"]) ? values["fields"].map(String) : tool.fields;
    return await use(report, createView(report, fields, opened));
  } finally {
    release();
    await opened.close();
  }
}

/** The flags that hints repeat. The site itself is fixed with the settings. */
function getSiteFlags(globals: Flags): Flags {
  return Object.fromEntries(Object.entries(globals).filter(([name]) => ["profile", "sandbox", "base-url", "namespace"].includes(name)));
}

/** What the command gets instead of the streams and the signals of the process. Nobody can be asked there. */
function createCallSystem({ env, clock, machine }: Context, stdin: string, notices: string[], signals: Signals): System {
  const closed = { isTTY: false, columns: undefined, closed: false };
  const addNotices = async (text: string) => {
    notices.push(...text.split("\n").filter((line) => line.trim() !== ""));
  };
  const rejectPrompt = () => {
    throw usageError("nobody can be asked");
  };
  return {
    env,
    clock,
    io: {
      stdin: { isTTY: false, text: async () => stdin },
      stdout: { ...closed, write: async () => undefined },
      stderr: { ...closed, write: addNotices },
    },
    machine: { ...machine, prompt: rejectPrompt, atSignal: signals.atSignal, onSignal: signals.onSignal },
  };
}

/** The signals of a call: that the client cancels it is as Ctrl-C to a command line. */
interface Signals {
  atSignal(act: () => void): void;
  onSignal(act: (kind: InterruptionKind) => void): () => void;
  follow(signal: AbortSignal): () => void;
}

function createSignals(): Signals {
  const callbacks: (() => void)[] = [];
  let listener: ((kind: InterruptionKind) => void) | undefined;
  return {
    atSignal: (act) => void callbacks.push(act),
    onSignal: (act) => {
      listener = act;
      return () => {
        listener = undefined;
      };
    },
    follow: (signal) => {
      const act = () => (listener === undefined ? callbacks.forEach((callback) => void callback()) : listener("interrupted"));
      if (signal.aborted) act();
      signal.addEventListener("abort", act, { once: true });
      return () => signal.removeEventListener("abort", act);
    },
  };
}

/** `log` shows an operation of any site on the command line. Here only those of this one exist. */
async function assertOfThisSite(tool: Tool, values: DataRecord, context: OpenContext): Promise<void> {
  const name = values["operation"];
  if (typeof name !== "string") return;
  const [{ createSiteId }, { findOperation }] = await Promise.all([import("../../changes/change.ts"), import("../../commands/log.ts")]);
  const { header } = await findOperation(context, name);
  if (header.site !== createSiteId(await context.settings()))
    throw new CalError("not-found", `there is no operation ${JSON.stringify(name)} of this site`, {
      code: "no-operation",
      hint: `${tool.name === "log" ? "call it without operation" : "log"} lists them`,
    });
}

function createView(report: Report, fields: readonly string[], { clock }: OpenContext): OutputOptions {
  // The rows of a plan are about records of several resources.
  const hasFields = "columns" in report && report.columns.some(({ path }) => path === "id") && fields.length > 0;
  return {
    format: "json",
    header: false,
    envelope: false,
    excel: false,
    wide: false,
    tty: false,
    style: plainStyle,
    now: clock.now(),
    ...(hasFields && { fields }),
  };
}

// The answer.

/** The data of the rows of a report, without control characters of the site. */
async function collectRows(report: Report, view: OutputOptions): Promise<readonly DataRecord[]> {
  const rows = toRows(report, view);
  const document = rows === undefined ? (report.kind === "value" ? report.value : undefined) : await collectDocument(rows, view);
  const interruption = report.kind === "outcomes" ? report.interruption?.() : undefined;
  if (interruption !== undefined) throw interruption;
  return [document].flat().filter(isRecord);
}

/** What became of a change of a plan: its record is named only. */
function trimOutcome(row: DataRecord): DataRecord {
  const { record } = row;
  const resource = Object.values(resources).find(({ name }) => name === row["resource"]);
  if (resource === undefined || !isRecord(record)) return row;
  const names = ["id", resource.titleField, "url"];
  return { ...row, record: Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : []))) };
}

/** Texts of the site are shown without control and invisible characters. Integers that JSON readers would round are texts. */
function toSafeData(value: DataRecord): DataRecord {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[sanitizeLine(key), toSafeValue(one)]])),
  );
}

function toSafeValue(value: unknown): unknown {
  if (typeof value === "string") return value.split(/\r?\n/).map(sanitizeLine).join("\n");
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(toSafeValue);
  return isRecord(value) ? toSafeData(value) : value;
}

// The plan.

function toPlan(report: Report): Plan {
  if (report.kind !== "list" || !isPlan(report.document)) throw new Error("a plan was expected");
  return report.document;
}

function isPlan(value: unknown): value is Plan {
  return isRecord(value) && Array.isArray(value["changes"]) && Array.isArray(value["skipped"]) && Array.isArray(value["conflicts"]);
}

/** Throws a CalError where the plan does more than the server was started for. */
function assertAllowed(changes: readonly Change[], { allowWrite, allowDelete, maxChanges }: ToolOptions): void {
  if (!allowWrite) return;
  assertWithinLimits(changes, { maxChanges });
  if (!allowDelete && changes.some(({ op }) => op === "delete"))
    throw new CalError("forbidden", "the plan deletes records, and this server was started without --allow-delete; nothing was sent", {
      code: "delete-not-allowed",
    });
  for (const { resource, fields } of changes) {
    const images = resource === "media" ? [] : resources[resource].fields.filter(({ format }) => format === "image");
    const isAddress = fields.some(
      ({ name, to }) => images.some((image) => image.name === name) && !/^(?:\d*|false)$/.test(String(to ?? "")),
    );
    if (isAddress) throw usageError("an image is given by its id here, not by its address; nothing was sent");
  }
}

function describePlan({ changes, unchanged, skipped, conflicts }: Plan): DataRecord {
  const described = changes.map(({ op, resource, key, id, title, fields, needs }) => ({
    ...{ op, resource, key, id, title },
    fields: fields.map(({ name, from, to }) => ({ name, from, to })),
    ...(needs.length > 0 && { needs }),
  }));
  return { changes: described, unchanged, skipped, conflicts };
}

const maxLines = 20;

function formatQuestion({ changes, site }: Plan): string {
  const lines = changes
    .slice(0, maxLines)
    .map((change) => [`${change.op} ${formatRecord(change)}`, ...formatFields(change)].join("; ").slice(0, 500));
  const rest = changes.length > maxLines ? [`and ${changes.length - maxLines} more`] : [];
  return [`Carry this out on ${site}? ${formatCounts(changes)}.`, ...lines, ...rest].map(sanitizeLine).join("\n");
}

// Pages.

interface Page {
  /** Whether the command reads one page; else it reads all, and a part of that is the answer. */
  readonly isOfServer: boolean;
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
}

/** The page that `cursor` names, and the arguments without it. A cursor belongs to the arguments that it was given for. */
function readPage(tool: Tool, { cursor, ...values }: DataRecord) {
  const limit = typeof values["limit"] === "number" ? values["limit"] : defaultLimit;
  const mark = hashText(stringifyExact([tool.name, values]));
  const cursorOf = (number: number) => `${number}-${mark}`;
  const number = cursor === undefined ? 1 : Number(/^([1-9]\d{0,8})-/.exec(String(cursor))?.[1]);
  if (cursor !== undefined && cursor !== cursorOf(number))
    throw usageError("the cursor is not one of a call with these arguments", "call without cursor for the first page");
  const page: Page = { isOfServer: getVerb(tool) === "list", number, limit, offset: (number - 1) * limit };
  return { input: values, page, cursorOf };
}
