// Which cache belongs to the site that is meant; decided without starting or asking anything.
import { join } from "node:path";
import { resolveSettings } from "../../config/resolve.ts";
import type { Context } from "../../context.ts";
import type { CacheLocation } from "./cache.ts";

/** What these questions need of a context. */
type CacheContext = Pick<Context, "globals" | "env" | "folders" | "configFile" | "machine" | "sandboxFile">;

/** The cache of the chosen site; undefined where none is chosen. Rejects where the settings can't be read. */
export async function resolveCacheLocation(context: CacheContext): Promise<CacheLocation | undefined> {
  const { globals, env, machine, folders } = context;
  const file = await context.configFile();
  const settings = resolveSettings({
    globals,
    env,
    data: await file.read(),
    path: file.path,
    get systemZone() {
      return machine.zone;
    },
    allowMissingProfile: true,
  });
  const site = settings.sandbox.value
    ? context.sandboxFile
    : settings.base_url && `${settings.base_url.value} ${settings.namespace.value} ${settings.profile.value}`;
  return site === undefined ? undefined : { folder: join(folders.cache, "completion"), site, pid: machine.pid };
}
