// What a create still needs is asked of the person at the terminal: only required fields that nothing was given for.

import type { Input } from "../../api/request.ts";
import { parseUnits } from "../../dates/duration.ts";
import { formatProblem } from "../../errors.ts";
import { type Field, getFieldFlagName } from "../../model/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { findInteractiveUserForWrite } from "../prompt-user.ts";
import type { Scene } from "./command.ts";
import { applyDates, createDateContext } from "./dates.ts";
import { findMissingFields, parseTextValue } from "./input.ts";

/** What was given for a record, on the command line and in answers. */
interface PromptedInput {
  readonly scene: Scene;
  readonly values: Input;
}

/** Asks for the required fields that are missing; changes nothing where something is wrong already or nobody can be asked. */
export async function promptForMissingFields(given: PromptedInput): Promise<PromptedInput> {
  const { scene, values } = given;
  const missing = findMissingFields(scene, values);
  if (missing.length === 0 || scene.problems.length > 0 || !(await hasValidDates(given))) return given;
  const person = await findInteractiveUserForWrite(scene.context);
  if (person === undefined) return given;
  let all = given;
  for (const field of missing) all = await promptForMissingField(field, all, person);
  return all;
}

/** Whether the dates that were typed can be read: else the answers would be asked for in vain. */
async function hasValidDates({ scene, values }: PromptedInput): Promise<boolean> {
  const probe: Scene = { ...scene, problems: [] };
  await applyDates(probe, { ...values, start_date: values["start_date"] ?? values["end_date"] ?? "now" }, undefined);
  return probe.problems.length === 0;
}

async function promptForMissingField(field: Field, given: PromptedInput, person: Prompt): Promise<PromptedInput> {
  const problemsWith = await createValidator(field, given);
  const fallback = field.name === "end_date" ? getDefaultEnd(given) : undefined;
  const answer = await person.text({
    message: questions[field.name] ?? field.meaning,
    validate: (text) => problemsWith(text).join("; ") || true,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
  return applyAnswer(field, given, answer);
}

const questions: Readonly<Record<string, string>> = {
  start_date: "Start date and time (2027-01-30 19:00, fri 20:00)",
  end_date: "End date and time, or how long (fri 22:30, 2h, 90m)",
};

/** An event of an hour, or of the day on which it starts. */
function getDefaultEnd({ values }: PromptedInput): string {
  return values["all_day"] === true ? String(values["start_date"] ?? "today") : "1h";
}

/** What is wrong with an answer, told again until nothing is. */
async function createValidator(field: Field, given: PromptedInput): Promise<(text: string) => readonly string[]> {
  const dates = field.format === "date-time" ? await import("./resolve-dates.ts") : undefined;
  return (text) => {
    if (text.trim() === "") return ["an answer is needed"];
    if (dates === undefined) {
      const read = parseTextValue(field, text);
      return "problem" in read ? [read.problem] : [];
    }
    const { scene, values } = applyAnswer(field, given, text);
    const probe: Scene = { ...scene, problems: [] };
    const zone = dates.parseInputZone(values, probe.problems) ?? scene.site.zone;
    dates.resolveDates(probe, values, createDateContext(scene, zone));
    return probe.problems.map((problem) => formatProblem(problem).replace(`--${getFieldFlagName(field)}: `, ""));
  };
}

/** With the answer; a length of time stands for the end. */
function applyAnswer(field: Field, { scene, values }: PromptedInput, answer: string): PromptedInput {
  const text = answer.trim();
  if (field.name === "end_date" && parseUnits(text) !== undefined) {
    const { invocation } = scene;
    return { scene: { ...scene, invocation: { ...invocation, flags: { ...invocation.flags, duration: text } } }, values };
  }
  const read = parseTextValue(field, text);
  return { scene, values: { ...values, [field.name]: "value" in read ? read.value : text } };
}
