// Check: what the server documents of itself (section 4.1, {ns}/doc) against the program's own table.
import { CalError } from "../../errors.ts";
import type { Field } from "../../spec/field.ts";
import { resources } from "../../spec/index.ts";
import { findDocumentedNames } from "./documented.ts";
import type { Check, Finding } from "./finding.ts";

/** A server without documentation works all the same, so that nothing here is a failure. */
export const documentationCheck: Check = {
  name: "documentation",
  run: async ({ client, settings }) => {
    const calendar = await client();
    const { namespace } = await settings();
    try {
      return compareDocumentation((await calendar.send({ method: "GET", path: `/${namespace.value}/doc`, query: [] })).value);
    } catch (error) {
      if (!(error instanceof CalError)) throw error;
      return {
        state: "warning",
        found: `${namespace.value}/doc can't be read: ${error.message}`,
        advice: "nothing needs it; the table of this program is used: cal schema",
      };
    }
  },
};

/** What is missing in a document, and what it has beyond the table. */
export function compareDocumentation(document: unknown): Finding {
  const missing: string[] = [];
  const extra: string[] = [];
  let known = 0;
  for (const resource of Object.values(resources)) {
    const documented = findDocumentedNames(resource, document);
    if (documented === undefined) return { state: "warning", found: "the answer is no OpenAPI document", advice: "cal doc --json" };
    for (const [what, table] of [
      ["filters", resource.filters],
      ["fields", resource.fields],
    ] as const) {
      const names = documented[what];
      const lacking = table.filter(({ name, nonStandard }) => nonStandard !== true && names?.has(name) !== true);
      known += table.filter(({ name }) => names?.has(name) === true).length;
      if (names === undefined) missing.push(`all ${what} of ${resource.name}`);
      else if (lacking.length > 0)
        missing.push(
          formatNames(
            resource.name,
            what,
            lacking.map(({ name }) => name),
          ),
        );
      const more = [...(names ?? [])].filter((name) => !isKnownField(name, table));
      if (more.length > 0) extra.push(formatNames(resource.name, what, more));
    }
  }
  return evaluateDocumentation(known, missing, extra);
}

/** A record's id is no field, wherever a document lists it. */
function isKnownField(name: string, table: readonly Field[]): boolean {
  return name === "id" || table.some((field) => field.name === name);
}

function formatNames(resource: string, what: string, names: readonly string[]): string {
  return `${what} of ${resource}: ${names.join(", ")}`;
}

function evaluateDocumentation(known: number, missing: readonly string[], extra: readonly string[]): Finding {
  const found = [
    `${known} filters and fields as in the table`,
    ...(missing.length === 0 ? [] : [`missing ${missing.join("; missing ")}`]),
    ...(extra.length === 0 ? [] : [`extra ${extra.join("; extra ")}`]),
  ].join("; ");
  if (missing.length > 0) return { state: "warning", found, advice: "the server may refuse or ignore what is missing: cal doc --json" };
  if (extra.length === 0) return { state: "ok", found };
  return {
    state: "ok",
    found,
    advice: "what is extra can be sent too: cal api GET events --query <name>=<value>, or --set <name>=<value>",
  };
}
