// `--add-category`, `--remove-category` and their like: links that come and go while the others of the record stay.
import { type DataRecord, plain } from "../../../api/record.ts";
import type { Input } from "../../../api/request.ts";
import { listOf, writableValue } from "../../../api/writable.ts";
import { usage } from "../../../errors.ts";
import { type Field, flagName } from "../../../spec/field.ts";
import type { Resource } from "../../../spec/resource.ts";
import type { ServerKind } from "../../../spec/server-kinds.ts";
import { type Invocation, texts } from "../../command.ts";
import { personOf } from "../../person.ts";
import { named } from "../after.ts";
import type { Call } from "../call.ts";
import type { RecordSite, Scene } from "../site.ts";
import { shown } from "../told.ts";
import { resolveLinks } from "./links.ts";

/** Links that are added and taken away, by field: refs as typed, or their ids. */
export interface LinkChanges {
  readonly add: Input;
  readonly remove: Input;
}

/** What was typed. */
export function typedLinks(resource: Resource, { flags }: Invocation): LinkChanges {
  const typed = (how: string) =>
    Object.fromEntries(
      severalOf(resource).flatMap((field) => {
        const refs = texts(flags[`${how}-${flagName(field)}`]);
        return refs.length === 0 ? [] : [[field.name, refs] as const];
      }),
    );
  return { add: typed("add"), remove: typed("remove") };
}

/** What is wrong with the flags, told before anything is asked. */
export function linkProblems({ resource, invocation: { flags } }: Call, typed: LinkChanges, given: Input): readonly string[] {
  return severalOf(resource).flatMap((field) => {
    const flag = flagName(field);
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
export async function toRemove({ resource, context }: Scene, site: RecordSite, typed: LinkChanges): Promise<Input> {
  const person = await personOf(context);
  return resolveLinks(site, resource.fields, typed.remove, person === undefined ? {} : { person });
}

/** The values of an update without those that are only added; throws a usage error for a link that is added and taken away. */
export function withoutAdded(resource: Resource, values: Input, typed: LinkChanges, remove: Input) {
  const isAdded = ([name]: readonly [string, unknown]) => typed.add[name] !== undefined;
  const add = Object.fromEntries(Object.entries(values).filter(isAdded));
  for (const field of severalOf(resource)) {
    const gone = keysOf(remove[field.name]);
    const both = keysOf(add[field.name]).filter((id) => gone.includes(id));
    const flag = flagName(field);
    if (both.length > 0) throw usage(`--add-${flag} and --remove-${flag} both name ${both.join(", ")}`);
  }
  return { given: Object.fromEntries(Object.entries(values).filter((entry) => !isAdded(entry))), links: { add, remove } };
}

/** The changes with the links that the record is to have: its own in their order, then the new ones. What stays alike is left out. */
export function withLinks({ resource, site }: Scene, values: Input, links: LinkChanges, record: DataRecord): Input {
  if (Object.keys(links.add).length === 0 && Object.keys(links.remove).length === 0) return values;
  const changed = severalOf(resource).flatMap((field) => {
    const [add, remove] = [listOf(links.add[field.name]), keysOf(links.remove[field.name])];
    if (add.length === 0 && remove.length === 0) return [];
    const own = ownLinks(resource, field, record, site.kind);
    const kept = own.filter((id) => !remove.includes(plain(id)));
    const known = keysOf(own);
    const fresh = add.filter((id) => !known.includes(plain(id)));
    return kept.length === own.length && fresh.length === 0 ? [] : [[field.name, [...kept, ...fresh]] as const];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Where a link of the record can't be read, it would be lost. */
function ownLinks(resource: Resource, field: Field, record: DataRecord, kind: ServerKind): readonly unknown[] {
  const answered = record[field.name];
  const ids = listOf(writableValue(field, record, kind));
  if (answered !== undefined && listOf(answered).length === ids.length) return ids;
  const flag = flagName(field);
  throw usage(
    `${named(resource, record)}: the server tells its ${field.refersTo} as ${shown(answered)}, so none can be added or taken away`,
    `name all that it shall have: --${flag}`,
  );
}

function severalOf({ fields }: Resource): readonly Field[] {
  return fields.filter(({ several }) => several === true);
}

function keysOf(value: unknown): readonly string[] {
  return listOf(value).map(plain);
}
