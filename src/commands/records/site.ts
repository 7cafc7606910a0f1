// The site that a record command speaks to, as the settings say it.
import type { Site } from "../../api/lookup.ts";
import { adviceOf, CalError } from "../../errors.ts";
import { serverProfiles } from "../../spec/server-kinds.ts";
import { type Call, throwIfProblems } from "./call.ts";

/** What the settings say of the site: enough to check what was typed, before anything is opened. */
export interface SiteFrame extends Omit<Site, "client"> {
  /** The zone in which dates are read. */
  readonly zone: string;
  /** Whether `--tz` was typed: then a date is read there even where the record has a zone of its own. */
  readonly hasExplicitZone: boolean;
}

/** The site, to be asked. */
export interface RecordSite extends SiteFrame, Site {}

/** A call, and the site that it is about. */
export interface Scene extends Call {
  readonly site: SiteFrame;
}

/** Reads the settings; needs no site. Settings that were typed wrong are told with all other problems. */
export async function sceneOf(call: Call): Promise<Scene> {
  const { context, problems } = call;
  const settings = await context.settings().catch((error: unknown) => {
    if (!(error instanceof CalError) || error.kind !== "usage") throw error;
    // Alone it is told with the advice of its own.
    if (problems.length === 0 && error.details.hint !== undefined) throw error;
    problems.push(adviceOf(error));
    throwIfProblems(call);
    throw error;
  });
  const site: SiteFrame = {
    namespace: settings.namespace.value,
    serverProfile: serverProfiles[settings.server.value],
    get zone() {
      return settings.tz.value;
    },
    hasExplicitZone: context.globals["tz"] !== undefined,
  };
  return { ...call, site };
}

/** Refuses the command where anything is wrong, else opens the site; rejects with kind `local` where no profile says which. */
export async function openSite(scene: Scene): Promise<RecordSite> {
  throwIfProblems(scene);
  return { ...scene.site, client: await scene.context.client() };
}
