// One short request for the records that completion offers; loaded only where the cache is old.
import type { Client } from "../../api/client.ts";
import { createClient } from "../../api/live-client.ts";
import { readPage } from "../../api/reply.ts";
import { listRequest } from "../../api/request.ts";
import { fixedAccess } from "../../auth/access.ts";
import type { Context } from "../../context.ts";
import type { Resource } from "../../spec/resource.ts";
import { serverKinds } from "../../spec/server-kinds.ts";
import type { Entry } from "./cache.ts";
import { entryOf } from "./remember.ts";

/** The first page of the list; `whole` where the server says that there is no more. */
export async function askedFor(
  resource: Resource,
  context: Context,
): Promise<{ readonly entries: readonly Entry[]; readonly whole: boolean }> {
  const { namespace, server } = await context.settings();
  // Categories and tags without events are wanted too; of what has dates only what is coming.
  const unhidden = resource.isDated ? {} : serverKinds[server.value].unhide[resource.name];
  const client = await quietClient(context);
  const { records, total } = readPage(resource, await client.send(listRequest(namespace.value, resource, { ...unhidden, per_page: 50 })));
  return {
    entries: records.flatMap((record) => entryOf(resource, record) ?? []),
    whole: !resource.isDated && total === records.length,
  };
}

/** A client that never asks the keychain: it presents a token of the environment or the sandbox's own, else none. */
async function quietClient(context: Context): Promise<Client> {
  const { sandbox, base_url } = await context.settings();
  const given = context.env["CAL_TOKEN"] || context.env["CAL_TOKEN_FILE"];
  if (sandbox.value || given || base_url === undefined) return context.client();
  return createClient({
    transport: await context.transport(),
    baseUrl: base_url.value,
    tokens: fixedAccess(),
    userAgent: "cal",
    login: () => "cal auth login",
  });
}
