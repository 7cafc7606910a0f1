// What `create` asks a user at a terminal: the required fields, a menu of the others, and after a summary whether to publish.
import type { Input } from "../../api/request.ts";
import { loginHint } from "../../auth/credentials.ts";
import { weekdays } from "../../dates/day.ts";
import { formatDuration, parseUnits } from "../../dates/duration.ts";
import { shiftDays, wallToEpoch } from "../../dates/zone.ts";
import { CalError, formatProblem } from "../../errors.ts";
import { type Field, getFieldFlagName, type Resource } from "../../model/resource.ts";
import { resources } from "../../model/resources.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { unbreakable } from "../../text.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import { openSite, type Problems, type RecordCommand } from "./command.ts";
import { formatPastWarning, loadDateParser, readDates, resolveDates } from "./dates.ts";
import { findMissingFields, parseFlagValues } from "./input.ts";
import { askLink } from "./link-prompt.ts";
import { type Answer, type Answers, createAnswer, formatAnswer, openSavedAnswers } from "./saved-answers.ts";

/** The command line with the answers: a duration is an answer that becomes a flag. */
interface PromptedInput {
  readonly command: RecordCommand;
  readonly input: Input;
}

interface PromptResult extends PromptedInput {
  /** Does the work with the answers. Where it fails, they are kept for the next try. */
  readonly send: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Asks where required fields are missing; changes nothing where there is a problem already or no user at a terminal. Rejects with kind
 * `unauthenticated` before the first question where nobody is logged in, and with `declined` where the user cancels.
 */
export async function promptForRecord(initial: PromptedInput): Promise<PromptResult> {
  const { command, input } = initial;
  const unasked = { ...initial, send: <T>(work: () => Promise<T>) => work() };
  const missing = findMissingFields(command.resource, command.invocation, input);
  if (missing.length === 0 || command.problems.length > 0 || !(await hasValidDates(initial))) return unasked;
  const user = await findInteractiveUserForWrite(command.context);
  if (user === undefined) return unasked;
  await assertLoggedIn(command);
  return promptForFields(initial, missing, user);
}

/** With an invalid date in the command line the answers would be lost. */
async function hasValidDates({ command, input }: PromptedInput): Promise<boolean> {
  const problems: Problems = [];
  await resolveDates({ ...command, problems }, { ...input, start_date: input["start_date"] ?? input["end_date"] ?? "now" }, undefined);
  return problems.length === 0;
}

async function assertLoggedIn({ context, settings }: RecordCommand): Promise<void> {
  if (context.globals["dry-run"] === true || (await (await context.tokens()).getAuthHeader()) !== undefined) return;
  const hint = loginHint(settings.profile.value, undefined);
  throw new CalError("unauthenticated", "not logged in: nothing can be created", { code: "not-logged-in", hint });
}

/** What is asked, and the answers so far. */
interface Form {
  readonly initial: PromptedInput;
  readonly user: Prompt;
  readonly parser: DateParser;
  answers: Answers;
}

type DateParser = Awaited<ReturnType<typeof loadDateParser>>;

async function promptForFields(initial: PromptedInput, missing: readonly Field[], user: Prompt): Promise<PromptResult> {
  const { resource, context } = initial.command;
  const saved = openSavedAnswers(initial.command);
  const form: Form = { initial, user, parser: await loadDateParser(), answers: {} };
  form.answers = await offerAnswers(saved.read(), form);
  const ask = async (field: Field, askForAnswer = askField) => {
    const answer = await askForAnswer(field, form);
    const { [field.name]: _, ...others } = form.answers;
    form.answers = answer === undefined ? others : { ...others, [field.name]: answer };
    form.answers = fixDate(field, form);
    saved.write(form.answers);
    await reportDates(field, form);
  };
  const orKeepAnswers = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (Object.keys(form.answers).length > 0)
        await context.notice(`your answers are kept: the next ${unbreakable(`cal ${resource.name} create`)} offers them`);
      throw error;
    }
  };
  const status = await orKeepAnswers(async () => {
    for (const field of missing) if (form.answers[field.name] === undefined) await ask(field);
    for (let field = await chooseMore(form); field !== undefined; field = await chooseMore(form)) await ask(field);
    return confirmSummary(form, (field) => ask(field, editField));
  });
  const { command, input } = applyAnswers(form);
  const send = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await orKeepAnswers(work);
    if (context.globals["dry-run"] !== true) saved.remove();
    return result;
  };
  return { command, input: status === undefined ? input : { ...input, status }, send };
}

/** The answers of an earlier try, where the user wants them. A field that the command line has now is not among them. */
async function offerAnswers(found: Answers, { initial: { command, input }, user }: Form): Promise<Answers> {
  const { fields, singular } = command.resource;
  const open = Object.entries(found).filter(([name]) => input[name] === undefined && fields.some((field) => field.name === name));
  if (open.length === 0) return {};
  const labels = open.map(([, answer]) => formatAnswer(answer)).join(", ");
  const isWanted = await user.confirm(`Go on with the ${singular} that was not created (${labels})?`, true);
  return isWanted ? Object.fromEntries(open) : {};
}

/** The command line with the answers as if they had been typed there. */
function applyAnswers({ initial, answers, parser }: Form): PromptedInput {
  let { command, input } = initial;
  for (const field of command.resource.fields) {
    const answer = answers[field.name];
    if (answer === undefined) continue;
    const [text = ""] = answer.texts;
    if (field.name === "end_date" && parseUnits(text) !== undefined) {
      const { invocation } = command;
      command = { ...command, invocation: { ...invocation, flags: { ...invocation.flags, duration: text } } };
    } else if (field.name === "end_date") input = { ...input, end_date: addDayOfStart(text, { command, input }, parser) };
    else {
      const value = field.type === "integers" ? answer.texts : text;
      input = { ...input, ...parseFlagValues([field], { [getFieldFlagName(field)]: value }, []) };
      if (isSwitch(field)) input = { ...input, [field.name]: field.type === "boolean" ? text === "true" : text };
    }
    // Only these: a name in a flag of the same command line may have a typing error.
    if (answer.isNew === true)
      command = {
        ...command,
        newLinks: new Set([...(command.newLinks ?? []), ...answer.texts.map((text) => `${field.refersTo} ${text}`)]),
      };
  }
  return { command, input };
}

/** A time alone as the end means the day of the start, or the next day where it is not after the start. */
function addDayOfStart(text: string, { command, input }: PromptedInput, parser: DateParser): string {
  const time = parser.day.parseTime(text.toLowerCase().replace(/ ([ap]m)$/, "$1"));
  if (time === undefined) return text;
  const { values, zone } = readAnsweredDates({ command, input: { ...input, end_date: undefined } }, parser);
  const start = String(values["start_date"] ?? "");
  const day = time <= start.slice(11) ? shiftDays(start.slice(0, 10), 1) : start.slice(0, 10);
  return `${day} ${time}${command.context.globals["tz"] === undefined ? "" : ` ${zone}`}`;
}

/** The answers with the date of a field as it was read: on another day `sat 7pm` would mean another one. */
function fixDate({ name }: Field, form: Form): Answers {
  const { command, input } = applyAnswers(form);
  if (form.answers[name] === undefined || (name !== "start_date" && name !== "end_date") || input[name] === undefined) return form.answers;
  const { values, zone, dateOnlyInputs } = readAnsweredDates({ command, input }, form.parser);
  const isDateOnly = dateOnlyInputs.some((one) => one.name === name);
  const label = String(values[name]).slice(0, isDateOnly ? 10 : 16);
  const text = isDateOnly || command.context.globals["tz"] === undefined ? label : `${label} ${zone}`;
  return { ...form.answers, [name]: createAnswer(text, label) };
}

/** The dates as they are now, and what is wrong with them. */
function readAnsweredDates({ command, input }: PromptedInput, parser: DateParser) {
  const problems: Problems = [];
  const read = readDates(parser, { ...command, problems }, input, command.settings.tz.value);
  return { ...read, zone: read.zone ?? command.settings.tz.value, problems };
}

// One question for each field.

const labels: Readonly<Record<string, string>> = {
  start_date: "Start",
  end_date: "End",
  date: "Publication date",
  date_utc: "Publication date in UTC",
  cost: "Price",
  image: "Picture",
};

const questions: Readonly<Record<string, string>> = {
  start_date: "Start date and time (2027-01-30 19:00, fri 20:00)",
  end_date: "End, or how long (22:30, fri 22:30, 2h, 90m)",
  description: "Description (a text or HTML)",
  image: "Picture: its id in the media library, or its address",
  cost: "Price (12, 10-20, free)",
};

function getLabel(field: Field): string {
  const words = getFieldFlagName(field).replaceAll("-", " ");
  return labels[field.name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The answer; undefined where the user leaves an optional field empty. */
async function askField(field: Field, form: Form): Promise<Answer | undefined> {
  const { user, answers } = form;
  if (field.refersTo !== undefined) {
    const earlier = field.multiple === true ? answers[field.name] : undefined;
    return askLink(user, await openSite(form.initial.command), resources[field.refersTo], getLabel(field), earlier);
  }
  if (isSwitch(field)) {
    const isYes = await user.confirm(`${getLabel(field)}?`, answers[field.name]?.texts[0] !== "true");
    return createAnswer(String(isYes), isYes ? "yes" : "no");
  }
  if (field.values !== undefined) {
    const value = await user.choose(
      getLabel(field),
      field.values.map((name) => ({ name, value: name })),
    );
    return createAnswer(value);
  }
  const { start_date, all_day } = applyAnswers(form).input;
  // An event lasts an hour by default, or the day on which it starts.
  const fallback = field.name === "end_date" ? (all_day === true ? String(start_date ?? "today") : "1h") : undefined;
  const usual = answers[field.name]?.texts[0] ?? fallback;
  const answer = await user.text({
    message: questions[field.name] ?? field.meaning,
    validate: (text) => validateAnswer(field, text.trim(), form) || true,
    ...(usual === undefined ? {} : { default: usual }),
  });
  const text = answer.trim();
  return text === "" ? undefined : createAnswer(text);
}

function isSwitch({ type, format }: Field): boolean {
  return type === "boolean" || format === "flag-string";
}

/** Another answer, or with several links one more or one less; undefined where the user removes it. */
async function editField(field: Field, form: Form): Promise<Answer | undefined> {
  const { [field.name]: earlier, ...others } = form.answers;
  if (earlier === undefined || field.required === true || isSwitch(field)) return askField(field, form);
  const hasSeveral = field.multiple === true;
  const choice = await form.user.choose<"change" | "add" | string>(`${getLabel(field)}: ${formatAnswer(earlier)}`, [
    { name: "Change", value: "change" },
    ...(hasSeveral ? [{ name: "Add one more", value: "add" }] : []),
    ...earlier.texts.map((text, at) => ({ name: hasSeveral ? `Remove ${earlier.labels[at]}` : "Remove", value: text })),
  ]);
  if (choice === "add") return askField(field, form);
  if (choice === "change") return askField(field, hasSeveral ? { ...form, answers: others } : form);
  const isKept = (_: string, at: number) => earlier.texts[at] !== choice;
  const texts = earlier.texts.filter(isKept);
  return texts.length === 0 ? undefined : { ...earlier, texts, labels: earlier.labels.filter(isKept) };
}

/** What is wrong with an answer; "" for nothing. */
function validateAnswer(field: Field, text: string, form: Form): string {
  if (text === "") return field.required === true ? "an answer is needed" : "";
  const problems: Problems = [];
  parseFlagValues([field], { [getFieldFlagName(field)]: text }, problems);
  if (field.format === "date-time") {
    // A new start may be after the end, which can be changed next.
    const { end_date: end, ...others } = form.answers;
    const kept = field.name === "start_date" || end === undefined ? others : form.answers;
    const answers = { ...kept, [field.name]: createAnswer(text) };
    problems.push(...readAnsweredDates(applyAnswers({ ...form, answers }), form.parser).problems);
  }
  // Problems name flags, which nobody has typed here.
  const flag = `--${getFieldFlagName(field)}`;
  const toText = (problem: string) =>
    problem === "--end-date is before --start-date" ? "the end is before the start" : problem.replace(new RegExp(`^${flag}(?:: | )`), "");
  return problems.map((problem) => toText(formatProblem(problem))).join("; ");
}

/** Shows at once what a date came to, and a warning for one that is over. */
async function reportDates({ name }: Field, form: Form): Promise<void> {
  if (name !== "start_date" && name !== "end_date") return;
  const { command, input } = applyAnswers(form);
  const { values, zone } = readAnsweredDates({ command, input }, form.parser);
  const when = formatWhen(values, zone, name === "start_date");
  if (when !== undefined) await command.context.say(`  ${when}`);
  const warning = formatPastWarning(command, name === "start_date" ? { ...values, end_date: undefined } : values, zone);
  if (warning !== undefined) await command.context.warn(warning);
}

/** `Saturday 2027-01-16 19:00 (Europe/Paris)`, or with its end and duration; undefined where there is no date. */
function formatWhen(values: Input, zone: string, startOnly: boolean): string | undefined {
  const [start, end] = [values["start_date"], values["end_date"]].map((value) => (typeof value === "string" ? value : undefined));
  if (start === undefined) return undefined;
  const day = (wall: string) => {
    const weekday = weekdays[(new Date(`${wall.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7] ?? "";
    return `${capitalize(weekday)} ${wall.slice(0, values["all_day"] === true ? 10 : 16)}`;
  };
  if (startOnly || end === undefined) return `${day(start)} (${zone})`;
  const isSameDay = end.slice(0, 10) === start.slice(0, 10);
  if (values["all_day"] === true) return `${day(start)}${isSameDay ? "" : ` to ${day(end)}`}, all day (${zone})`;
  const length = (wallToEpoch(end, zone) ?? 0) - (wallToEpoch(start, zone) ?? 0);
  return `${day(start)} to ${isSameDay ? end.slice(11, 16) : day(end)} (${zone}), ${formatDuration(length)}`;
}

function capitalize(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

// The menus.

/** The field to ask for next; undefined where the user has no more to add. */
async function chooseMore(form: Form): Promise<Field | undefined> {
  const { user, answers, initial } = form;
  const { fields, singular } = initial.command.resource;
  const isOpen = ({ name, required, format }: Field) =>
    required !== true &&
    format !== "status" &&
    initial.input[name] === undefined &&
    (answers[name] === undefined || isAddable(name, fields));
  const ordered = orderFields(initial.command.resource);
  const main = ordered.main.filter(isOpen);
  const others = ordered.others.filter(isOpen);
  if (main.length + others.length === 0) return undefined;
  const toChoice = (field: Field) => ({
    name: field.type === "boolean" ? getLabel(field) : `Add ${getLabel(field).toLowerCase()}`,
    value: field,
  });
  const choice = await user.choose<Field | "done" | "others">(`More about the ${singular}?`, [
    { name: "No, go on", value: "done" },
    ...main.map(toChoice),
    ...(others.length === 0 ? [] : [{ name: "Another field", value: "others" as const }]),
  ]);
  if (choice === "done") return undefined;
  return choice === "others" ? user.choose("Which field?", others.map(toChoice)) : choice;
}

/** The fields that most records have, in the order of their use, and the others, links first. */
function orderFields({ fields, mainFields }: Resource) {
  const main = mainFields.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter((field) => !main.includes(field));
  const isLink = ({ refersTo }: Field) => refersTo !== undefined;
  return { main, others: [...others.filter(isLink), ...others.filter((field) => !isLink(field))] };
}

/** A field of several links can get another one. */
function isAddable(name: string, fields: readonly Field[]): boolean {
  return fields.some((field) => field.name === name && field.multiple === true);
}

/** Shows everything, and what the user chooses: the status of the record, where it has one. Rejects with kind `declined` for Cancel. */
async function confirmSummary(form: Form, ask: (field: Field) => Promise<void>): Promise<string | undefined> {
  const { user, initial } = form;
  const { resource, context } = initial.command;
  const hasStatus = resource.fields.some(({ name }) => name === "status");
  const given = initial.input["status"];
  for (;;) {
    await context.say(formatSummary(form));
    const choice = await user.choose<"publish" | "draft" | "create" | "edit" | "cancel">(`Create the ${resource.singular}?`, [
      ...(hasStatus && given === undefined
        ? ([
            { name: "Publish", value: "publish" },
            { name: "Save as draft", value: "draft" },
          ] as const)
        : [{ name: given === undefined ? "Create" : `Create with the status ${String(given)}`, value: "create" as const }]),
      { name: "Edit", value: "edit" },
      { name: "Cancel", value: "cancel" },
    ]);
    if (choice === "publish" || choice === "draft") return choice;
    if (choice === "create") return undefined;
    if (choice === "cancel") throw new CalError("declined", "nothing was created", { code: "declined" });
    const field = await chooseEdit(form);
    if (field !== undefined) await ask(field);
  }
}

async function chooseEdit({ user, answers, initial }: Form): Promise<Field | undefined> {
  const { main, others } = orderFields(initial.command.resource);
  const fields = [...main, ...others];
  const answered = fields.filter(({ name }) => answers[name] !== undefined);
  const open = fields.filter(({ name, format }) => answers[name] === undefined && initial.input[name] === undefined && format !== "status");
  const toChoice = (field: Field) => {
    const answer = answers[field.name];
    return { name: answer === undefined ? getLabel(field) : `${getLabel(field)}: ${formatAnswer(answer)}`, value: field };
  };
  return user.choose<Field | undefined>("Which field?", [
    ...answered.map(toChoice),
    { name: "Back", value: undefined },
    ...open.map(toChoice),
  ]);
}

/** The fields in the order in which people read them. */
function formatSummary(form: Form): string {
  const { command, input } = applyAnswers(form);
  const { fields, fieldsReadFirst, singular } = command.resource;
  const { values, zone } = readAnsweredDates({ command, input }, form.parser);
  const when = formatWhen(values, zone, false);
  const order = [...new Set([...fieldsReadFirst, ...fields.map(({ name }) => name)])];
  const shown = order.flatMap((name) => {
    if (name === "start_date" && when !== undefined) return [["When", when] as const];
    if (name === "end_date" && when !== undefined) return [];
    const field = fields.find((one) => one.name === name);
    const answer = form.answers[name];
    const typed = input[name] === undefined ? undefined : [input[name]].flat().map(String).join(", ");
    const value = answer === undefined ? typed : formatAnswer(answer);
    return field === undefined || value === undefined ? [] : [[getLabel(field), value] as const];
  });
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  return [`The new ${singular}:`, ...shown.map(([label, value]) => `  ${label.padEnd(width)}${value}`)].join("\n");
}
