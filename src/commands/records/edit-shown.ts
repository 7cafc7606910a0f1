// Texts that stand in an edited text as comments, because they are only shown: whoever changes one there means to send it.
import type { Resource } from "../../spec/resource.ts";
import { type FieldValues, readOnlyMarker } from "./edit-text.ts";

/** A text whose comments have become fields. */
export interface UncommentResult {
  readonly text: string;
  readonly fieldNames: readonly string[];
}

/** Makes fields of the comments that were changed and have no value beside them; undefined where there is none. */
export function uncommentChangedFields(
  resource: Resource,
  original: string,
  text: string,
  values: FieldValues,
): UncommentResult | undefined {
  const [was, lines] = [original.split("\n"), text.split(/\r?\n/)];
  const fieldNames = resource.fields
    .map(({ name }) => name)
    .filter((name) => {
      const [before, after] = [was, lines].map((all) => findCommentBlock(all, name, resource));
      return (
        before !== undefined &&
        after !== undefined &&
        !Object.hasOwn(values, name) &&
        after.length > 0 &&
        after.join("\n") !== before.join("\n")
      );
    });
  for (const name of fieldNames) {
    const at = lines.findIndex((line) => isFieldCommentStart(line, name));
    const block = findCommentBlock(lines, name, resource) ?? [];
    lines.splice(at, block.length + 1, `${name}: |-`, ...block.map((line) => `  ${line.replace(/^# {0,3}/, "")}`.trimEnd()));
  }
  return fieldNames.length === 0 ? undefined : { text: lines.join("\n"), fieldNames };
}

function isFieldCommentStart(line: string, name: string): boolean {
  return line.startsWith(`# ${name}${readOnlyMarker}`);
}

/** The comment below the line that names the field, up to the next field. */
function findCommentBlock(lines: readonly string[], name: string, { fields }: Resource): readonly string[] | undefined {
  const at = lines.findIndex((line) => isFieldCommentStart(line, name));
  if (at < 0) return undefined;
  const below = lines.slice(at + 1);
  const isEnd = (line: string) => !line.startsWith("#") || fields.some((field) => line.startsWith(`# ${field.name}:`));
  const end = below.findIndex(isEnd);
  return (end < 0 ? below : below.slice(0, end)).map((line) => line.trimEnd());
}
