// `cal doc`: GET {ns}/doc (section 4.1).
import type { Handler } from "../command.ts";

/** Answers with what the server documents of itself. */
export const doc: Handler = async (_invocation, context) => {
  const { namespace } = await context.settings();
  const client = await context.client();
  const { value } = await client.send({ method: "GET", path: `/${namespace.value}/doc`, query: [] });
  return { kind: "value", value };
};
