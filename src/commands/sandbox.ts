// `cal sandbox serve`: the embedded calendar for other programs, until Ctrl-C.

import { resolve } from "node:path";
import { CalError } from "../errors.ts";
import { parseFaults, parseTokenLifetime } from "../sandbox/faults.ts";
import { defaultSandboxPort, type Sandbox } from "../sandbox/server.ts";
import { getTexts, type Handler } from "./command.ts";

/** Serves until the user stops it; its addresses and demo accounts are told on stderr, with the commands that use it. */
export const serve: Handler = async ({ flags }, context) => {
  const { port, "data-file": file, "seed-day": day, server: serverProfile, "token-lifetime": lifetime } = flags;
  const faults = getTexts(flags["fault"]);
  const start = (at: number) =>
    context.startSandbox({
      port: at,
      ...(typeof file === "string" ? { file: resolve(file) } : {}),
      ...(typeof day === "string" ? { day } : {}),
      ...(serverProfile === "generic" || serverProfile === "the-events-calendar" ? { serverProfile } : {}),
      ...(typeof lifetime === "string" ? { tokenLifetime: parseTokenLifetime(lifetime) } : {}),
      ...(faults.length > 0 ? { injectFault: parseFaults(faults) } : {}),
      log: (line) => void context.notice(line),
    });
  // There the addresses that `--sandbox` shows lead to something.
  const sandbox = await start(typeof port === "number" ? port : defaultSandboxPort).catch(async (error: unknown) => {
    if (port !== undefined || !(error instanceof CalError) || error.details.code !== "port-taken") throw error;
    await context.notice(`${error.message}, so a free one was chosen`);
    return start(0);
  });
  await context.say(
    [
      ...(sandbox.serverProfile === "generic" ? formatTokenInstructions(sandbox) : formatPasswordInstructions(sandbox)),
      "Ctrl-C ends it.",
    ].join("\n"),
  );
  await context.machine.waitForStop();
  return { kind: "nothing" };
};

const otherTerminalHint = "In another terminal, where CAL_SANDBOX is not set:";

/** What the interface documents ask for: an authentication service and an application key. The demo secrets are public, and in no argument. */
function formatTokenInstructions({
  baseUrl,
  authUrl,
  siteUrl,
  namespace,
  application: { clientId, clientSecret },
  users,
}: Sandbox): string[] {
  const [admin] = users;
  return [
    `base_url   ${baseUrl}`,
    `auth_url   ${authUrl}`,
    `namespace  ${namespace}`,
    `client_id  ${clientId} (secret: ${clientSecret})`,
    ...users.map(({ username, password }) => `user       ${username} (password: ${password})`),
    otherTerminalHint,
    `  cal init -p demo ${siteUrl} --auth-url ${authUrl} --client-id ${clientId} --username ${admin.username}`,
    `  printf ${admin.password} | CAL_CLIENT_SECRET=${clientSecret} cal -p demo auth login --method password --password-stdin`,
    "  cal -p demo events list",
  ];
}

/** What a WordPress site asks for: a user name and an application password. */
function formatPasswordInstructions({ baseUrl, siteUrl, namespace, users }: Sandbox): string[] {
  const [admin] = users;
  return [
    `base_url   ${baseUrl}`,
    `namespace  ${namespace}`,
    ...users.map(({ username, applicationPassword }) => `user       ${username} (application password: ${applicationPassword})`),
    otherTerminalHint,
    `  cal init -p demo ${siteUrl}`,
    `  printf '${admin.applicationPassword}' | cal -p demo auth login --username ${admin.username} --password-stdin`,
    "  cal -p demo events list",
  ];
}

// `cal sandbox reset`: throws the data of the embedded calendar away.

/** Asks, unless --yes was typed; the new data is seeded around today. */
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
    const prompt = await context.prompt();
    if (!(await prompt.confirm(`Throw away all that is in ${file}?`, false))) throw new CalError("declined", "nothing was changed");
  }
  await context.resetSandbox(file);
  await context.notice(`The sandbox is new: ${file}`);
  return { kind: "nothing" };
};
