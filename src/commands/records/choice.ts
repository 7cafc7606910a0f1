// A name that several records have: at a terminal the person chooses, anywhere else the command fails with the candidates.
import { findByName, type Site } from "../../api/lookup.ts";
import { getText, idOf } from "../../api/record.ts";
import { toPlainText } from "../../http/clean.ts";
import type { Resource } from "../../spec/resource.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { findInteractiveUser } from "../person.ts";
import type { Call } from "./call.ts";
import type { Refs } from "./refs.ts";

/** The id of the record of this name that the person means; undefined where no two records have it. */
export async function promptForRecordId(site: Site, resource: Resource, name: string, person: Prompt): Promise<string | undefined> {
  const choices = (await findByName(site, resource, name)).flatMap((record) => {
    const value = idOf(record);
    const told = [getText(record, "start_date"), getText(record, "slug")].map(toPlainText).filter((text) => text !== "");
    return value === undefined
      ? []
      : [{ name: `${value} ${toPlainText(getText(record, resource.titleField))} (${told.join(", ")})`, value }];
  });
  return choices.length < 2 ? undefined : person.choose(`Which ${resource.singular}?`, choices);
}

/** The refs, of which a single name that several records have is chosen by the person. Of many refs none is asked for. */
export async function resolveAmbiguousRefs({ context, resource }: Call, site: Site, refs: Refs): Promise<Refs> {
  const [first] = refs.refs;
  if (refs.many || first?.ref.by !== "name") return refs;
  const person = await findInteractiveUser(context);
  const id = person === undefined ? undefined : await promptForRecordId(site, resource, first.ref.name, person);
  return id === undefined ? refs : { many: false, refs: [{ text: first.text, ref: { by: "id", id } }] };
}
