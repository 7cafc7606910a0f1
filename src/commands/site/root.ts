// `cal root`: GET {ns} (section 4.1).
import type { Handler } from "../command.ts";

/** Answers with the index of the namespace: its routes. */
export const root: Handler = async (invocation, context) => {
  const { namespace } = await context.settings();
  const { context: scope, "root-namespace": described } = invocation.flags;
  const query = [
    ...(described === undefined ? [] : [["namespace", String(described)] as const]),
    ...(scope === undefined ? [] : [["context", String(scope)] as const]),
  ];
  const client = await context.client();
  const { value } = await client.send({ method: "GET", path: `/${namespace.value}`, query });
  return { kind: "value", value };
};
