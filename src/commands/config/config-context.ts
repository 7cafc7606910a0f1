// What the commands over the config file need of the context, and how they change the file.
import type { Login } from "../../auth/vault/login.ts";
import type { ConfigData } from "../../config/data.ts";
import type { Context } from "../../context.ts";
import { CalError } from "../../errors.ts";
import type { Report } from "../../output/report.ts";
import type { Invocation } from "../command.ts";

/** The part of the context that these commands use. */
export type ConfigContext = Pick<
  Context,
  "env" | "globals" | "notice" | "warn" | "settings" | "configFile" | "prompt" | "transport" | "deleteSecrets"
> & { readonly credentialStore: () => Promise<LoginLookup> };

/** Which login a profile has, as far as these commands care. */
interface LoginLookup {
  findLogin(profile: string): Promise<Pick<Login, "base_origin"> | undefined>;
}

/** A handler over the config file. */
export type ConfigHandler = (invocation: Invocation, context: ConfigContext) => Promise<Report>;

/** Changes the config file. Under --dry-run the change is checked against its content, told, and not written. */
export async function updateConfig(context: ConfigContext, edit: (data: ConfigData) => ConfigData): Promise<void> {
  const file = await context.configFile();
  if (context.globals["dry-run"] !== true) return file.update(edit);
  edit(await file.read());
  await context.notice(`dry run: ${file.path} was not changed`);
}

/** Asks before something is lost. Rejects with kind `declined` for a No, and with `usage` where nobody can be asked and --yes was not typed. */
export async function requireConfirmation(context: ConfigContext, question: string): Promise<void> {
  if (context.globals["yes"] === true || context.globals["dry-run"] === true) return;
  const prompt = await context.prompt();
  if (!(await prompt.confirm(question, false))) throw new CalError("declined", "nothing was changed");
}
