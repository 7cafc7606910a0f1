// `--add-category`, `--remove-category` and their like: links that come and go while the others of the record stay.
import { type DataRecord, valueToText } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { toList, toWritableValue } from "../../../api/writable.ts";
import { usageError } from "../../../errors.ts";
import { type Field, getFieldFlagName } from "../../../spec/field.ts";
import type { Resource } from "../../../spec/resource.ts";
import type { ServerProfile } from "../../../spec/server-kinds.ts";
import { getTexts, type Invocation } from "../../command.ts";
import { findInteractiveUser } from "../../person.ts";
import { formatRecordName } from "../after.ts";
import type { Call } from "../call.ts";
import type { RecordSite, Scene } from "../site.ts";
import { formatValue } from "../told.ts";
import { resolveLinks } from "./links.ts";

/** Links that are added and taken away, by field: refs as typed, or their ids. */
export interface LinkChanges {
  readonly add: Input;
  readonly remove: Input;
}

/** What was typed. */
export function parseLinkChanges(resource: Resource, { flags }: Invocation): LinkChanges {
  const typed = (how: string) =>
    Object.fromEntries(
      findMultiValueFields(resource).flatMap((field) => {
        const refs = getTexts(flags[`${how}-${getFieldFlagName(field)}`]);
        return refs.length === 0 ? [] : [[field.name, refs] as const];
      }),
    );
  return { add: typed("add"), remove: typed("remove") };
}

/** What is wrong with the flags, told before anything is asked. */
export function validateLinkChanges({ resource, invocation: { flags } }: Call, typed: LinkChanges, given: Input): readonly string[] {
  return findMultiValueFields(resource).flatMap((field) => {
    const flag = getFieldFlagName(field);
    const used = [
      ...(typed.add[field.name] === undefined ? [] : [`--add-${flag}`]),
      ...(typed.remove[field.name] === undefined ? [] : [`--remove-${flag}`]),
    ];
    return used.flatMap((name) => [
      ...(given[field.name] === undefined ? [] : [`${name} and --${flag} exclude each other: --${flag} replaces all ${field.refersTo}`]),
      ...(flags["raw"] === true ? [`${name} needs the record to be read, and --raw does not read it`] : []),
    ]);
  });
}

/** The ids of what is to be taken away. Rejects with kind `not-found` for what is called like nothing, which is never created for this. */
export async function resolveLinksToRemove({ resource, context }: Scene, site: RecordSite, typed: LinkChanges): Promise<Input> {
  const user = await findInteractiveUser(context);
  return resolveLinks(site, resource.fields, typed.remove, user === undefined ? {} : { user });
}

/** The values of an update without those that are only added; throws a usage error for a link that is added and taken away. */
export function splitLinkChanges(resource: Resource, values: Input, typed: LinkChanges, remove: Input) {
  const isAdded = ([name]: readonly [string, unknown]) => typed.add[name] !== undefined;
  const add = Object.fromEntries(Object.entries(values).filter(isAdded));
  for (const field of findMultiValueFields(resource)) {
    const gone = toIdStrings(remove[field.name]);
    const both = toIdStrings(add[field.name]).filter((id) => gone.includes(id));
    const flag = getFieldFlagName(field);
    if (both.length > 0) throw usageError(`--add-${flag} and --remove-${flag} both name ${both.join(", ")}`);
  }
  return { input: Object.fromEntries(Object.entries(values).filter((entry) => !isAdded(entry))), links: { add, remove } };
}

/** The changes with the links that the record is to have: its own in their order, then the new ones. What stays alike is left out. */
export function applyLinkChanges({ resource, site }: Scene, values: Input, links: LinkChanges, record: DataRecord): Input {
  if (Object.keys(links.add).length === 0 && Object.keys(links.remove).length === 0) return values;
  const changed = findMultiValueFields(resource).flatMap((field) => {
    const [add, remove] = [toList(links.add[field.name]), toIdStrings(links.remove[field.name])];
    if (add.length === 0 && remove.length === 0) return [];
    const own = getRecordLinks(resource, field, record, site.serverProfile);
    const kept = own.filter((id) => !remove.includes(valueToText(id)));
    const known = toIdStrings(own);
    const fresh = add.filter((id) => !known.includes(valueToText(id)));
    return kept.length === own.length && fresh.length === 0 ? [] : [[field.name, [...kept, ...fresh]] as const];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Where a link of the record can't be read, it would be lost. */
function getRecordLinks(resource: Resource, field: Field, record: DataRecord, kind: ServerProfile): readonly unknown[] {
  const answered = record[field.name];
  const ids = toList(toWritableValue(field, record, kind));
  if (answered !== undefined && toList(answered).length === ids.length) return ids;
  const flag = getFieldFlagName(field);
  throw usageError(
    `${formatRecordName(resource, record)}: the server tells its ${field.refersTo} as ${formatValue(answered)}, so none can be added or taken away`,
    `name all that it shall have: --${flag}`,
  );
}

function findMultiValueFields({ fields }: Resource): readonly Field[] {
  return fields.filter(({ multiple }) => multiple === true);
}

function toIdStrings(value: unknown): readonly string[] {
  return toList(value).map(valueToText);
}
