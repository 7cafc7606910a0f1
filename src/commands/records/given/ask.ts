// What a create still needs is asked of the person at the terminal: only required fields that nothing was given for.
import type { Input } from "../../../api/request.ts";
import { readUnits } from "../../../dates/duration.ts";
import { type Field, flagName } from "../../../spec/field.ts";
import type { Prompt } from "../../../terminal/prompt.ts";
import { personToWrite } from "../../person.ts";
import { dateFrame, withDates } from "../dates/dated.ts";
import type { Scene } from "../site.ts";
import { missingFields } from "./given.ts";
import { readText } from "./values.ts";

/** What was given for a record, on the command line and in answers. */
export interface Given {
  readonly scene: Scene;
  readonly values: Input;
}

/** Asks for the required fields that are missing; changes nothing where something is wrong already or nobody can be asked. */
export async function askMissing(given: Given): Promise<Given> {
  const { scene, values } = given;
  const missing = missingFields(scene, values);
  if (missing.length === 0 || scene.problems.length > 0 || !(await isWell(given))) return given;
  const person = await personToWrite(scene.context);
  if (person === undefined) return given;
  let all = given;
  for (const field of missing) all = await asked(field, all, person);
  return all;
}

/** Whether the dates that were typed can be read: else the answers would be asked for in vain. */
async function isWell({ scene, values }: Given): Promise<boolean> {
  const probe: Scene = { ...scene, problems: [] };
  await withDates(probe, { ...values, start_date: values["start_date"] ?? values["end_date"] ?? "now" }, undefined);
  return probe.problems.length === 0;
}

async function asked(field: Field, given: Given, person: Prompt): Promise<Given> {
  const problemsWith = await checkOf(field, given);
  const fallback = field.name === "end_date" ? usualEnd(given) : undefined;
  const answer = await person.text({
    message: questions[field.name] ?? field.meaning,
    validate: (text) => problemsWith(text).join("; ") || true,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
  return answered(field, given, answer);
}

const questions: Readonly<Record<string, string>> = {
  start_date: "Start date and time (2027-01-30 19:00, fri 20:00)",
  end_date: "End date and time, or how long (fri 22:30, 2h, 90m)",
};

/** An event of an hour, or of the day on which it starts. */
function usualEnd({ values }: Given): string {
  return values["all_day"] === true ? String(values["start_date"] ?? "today") : "1h";
}

/** What is wrong with an answer, told again until nothing is. */
async function checkOf(field: Field, given: Given): Promise<(text: string) => readonly string[]> {
  const dates = field.format === "date-time" ? await import("../dates/settled.ts") : undefined;
  return (text) => {
    if (text.trim() === "") return ["an answer is needed"];
    if (dates === undefined) {
      const read = readText(field, text);
      return "problem" in read ? [read.problem] : [];
    }
    const { scene, values } = answered(field, given, text);
    const probe: Scene = { ...scene, problems: [] };
    const zone = dates.givenZone(values, probe.problems) ?? scene.site.zone;
    dates.settleDates(probe, values, dateFrame(scene, zone));
    return probe.problems.map((problem) => problem.replace(`--${flagName(field)}: `, ""));
  };
}

/** With the answer; a length of time stands for the end. */
function answered(field: Field, { scene, values }: Given, answer: string): Given {
  const text = answer.trim();
  if (field.name === "end_date" && readUnits(text) !== undefined) {
    const { invocation } = scene;
    return { scene: { ...scene, invocation: { ...invocation, flags: { ...invocation.flags, duration: text } } }, values };
  }
  const read = readText(field, text);
  return { scene, values: { ...values, [field.name]: "value" in read ? read.value : text } };
}
