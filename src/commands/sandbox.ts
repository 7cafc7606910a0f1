// `cal sandbox`: serves a sandbox to other programs, and resets its data.

import { resolve } from "node:path";
import { CalError, usageError } from "../errors.ts";
import { parseFaults, parseTokenLifetime } from "../sandbox/faults.ts";
import { defaultSandboxPort, type Sandbox, type SandboxOptions } from "../sandbox/server.ts";
import { getTexts, type Handler } from "./command.ts";
import { findInteractiveUser } from "./prompt-user.ts";

/** Serves until the user stops it. Its addresses, its users and the commands that use it are printed on stderr. */
export const serve: Handler = async ({ flags }, context) => {
  const { port, "data-file": file, "seed-day": day, server, "token-lifetime": lifetime } = flags;
  const faults = getTexts(flags["fault"]);
  const options: Partial<SandboxOptions> = {
    ...(typeof file === "string" ? { file: resolve(file) } : {}),
    ...(typeof day === "string" ? { day } : {}),
    ...(server === "generic" || server === "the-events-calendar" ? { serverProfile: server } : {}),
    ...(typeof lifetime === "string" ? { tokenLifetime: parseTokenLifetime(lifetime) } : {}),
    ...(faults.length > 0 ? { injectFault: parseFaults(faults) } : {}),
    log: (line) => void context.notice(line),
  };
  const start = (at: number): Promise<Sandbox> => context.startSandbox({ ...options, port: at });
  // The addresses in the records of `--sandbox` have the default port, so they lead to this one.
  const sandbox = await start(typeof port === "number" ? port : defaultSandboxPort).catch(async (error: unknown) => {
    if (port !== undefined || !(error instanceof CalError) || error.details.code !== "port-taken") throw error;
    await context.notice(`${error.message}, so a free one was chosen`);
    return start(0);
  });
  await context.say([...formatInstructions(sandbox), "Ctrl-C ends it."].join("\n"));
  await context.machine.waitForStop();
  return { kind: "nothing" };
};

/** The demo secrets are public, but they are in no argument: the lines are an example of how to log in. */
function formatInstructions(sandbox: Sandbox): string[] {
  const { baseUrl, authUrl, siteUrl, namespace, users } = sandbox;
  const { clientId, clientSecret } = sandbox.application;
  const [admin] = users;
  const otherTerminal = "In another terminal, where CAL_SANDBOX is not set:";
  if (sandbox.serverProfile === "generic")
    return [
      `base_url   ${baseUrl}`,
      `auth_url   ${authUrl}`,
      `namespace  ${namespace}`,
      `client_id  ${clientId} (secret: ${clientSecret})`,
      ...users.map(({ username, password }) => `user       ${username} (password: ${password})`),
      otherTerminal,
      `  cal init -p demo ${siteUrl} --auth-url ${authUrl} --client-id ${clientId} --username ${admin.username}`,
      `  printf ${admin.password} | CAL_CLIENT_SECRET=${clientSecret} cal -p demo auth login --method password --password-stdin`,
      "  cal -p demo events list",
    ];
  return [
    `base_url   ${baseUrl}`,
    `namespace  ${namespace}`,
    ...users.map(({ username, applicationPassword }) => `user       ${username} (application password: ${applicationPassword})`),
    otherTerminal,
    `  cal init -p demo ${siteUrl}`,
    `  printf '${admin.applicationPassword}' | cal -p demo auth login --username ${admin.username} --password-stdin`,
    "  cal -p demo events list",
  ];
}

/** Asks first, unless --yes is set. The new data is seeded around today. */
export const reset: Handler = async ({ flags }, context) => {
  const file = typeof flags["data-file"] === "string" ? resolve(flags["data-file"]) : context.sandboxFile;
  const { read_only } = await context.settings();
  if (read_only.value)
    throw new CalError("forbidden", `nothing was changed: ${file} is not reset, because this is read-only`, { code: "read-only" });
  if (context.globals["dry-run"] === true) {
    await context.notice(`dry run: ${file} was not reset`);
    return { kind: "nothing" };
  }
  if (context.globals["yes"] !== true) {
    const user = await findInteractiveUser(context);
    if (user === undefined)
      throw usageError("reset needs a confirmation, and there is no terminal; nothing was changed", {
        text: "without a question",
        flags: "--yes",
      });
    if (!(await user.confirm(`Throw away all that is in ${file}?`, false))) throw new CalError("declined", "nothing was changed");
  }
  await context.resetSandbox(file);
  // What imports and series remember of its records is of no use any more.
  if (file === context.sandboxFile) (await import("../changes/ledger.ts")).removeLedgers(context.folders.state, "sandbox");
  await context.notice(`The sandbox is new: ${file}`);
  return { kind: "nothing" };
};
