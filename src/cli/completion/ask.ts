// One short request for the records that completion offers; loaded only where the cache is old.
import { createClient } from "../../api/client.ts";
import { parsePage } from "../../api/reply.ts";
import { buildListRequest, type Client } from "../../api/request.ts";
import { createStaticAuthHeaderProvider } from "../../auth/credentials.ts";
import type { Context } from "../../context.ts";
import type { Resource } from "../../model/resource.ts";
import { serverProfiles } from "../../model/server-profiles.ts";
import { type CompletionEntry, createCompletionEntry } from "./value-cache.ts";

/** The first page of the list; `whole` where the server says that there is no more. */
export async function fetchEntries(
  resource: Resource,
  context: Context,
): Promise<{ readonly entries: readonly CompletionEntry[]; readonly whole: boolean }> {
  const { namespace, server } = await context.settings();
  // Categories and tags without events are wanted too; of what has dates only what is coming.
  const unhidden = resource.hasDates ? {} : serverProfiles[server.value].unfilteredParameters[resource.name];
  const client = await createClientWithoutKeychain(context);
  const { records, total } = parsePage(
    resource,
    await client.send(buildListRequest(namespace.value, resource, { ...unhidden, per_page: 50 })),
  );
  return {
    entries: records.flatMap((record) => createCompletionEntry(resource, record) ?? []),
    whole: !resource.hasDates && total === records.length,
  };
}

/** A client that never asks the keychain: it presents a token of the environment or the sandbox's own, else none. */
async function createClientWithoutKeychain(context: Context): Promise<Client> {
  const { sandbox, base_url } = await context.settings();
  const given = context.env["CAL_TOKEN"] || context.env["CAL_TOKEN_FILE"];
  if (sandbox.value || given || base_url === undefined) return context.client();
  return createClient({
    transport: await context.transport(),
    baseUrl: base_url.value,
    tokens: createStaticAuthHeaderProvider(),
    userAgent: "cal",
    loginHint: () => "cal auth login",
  });
}
