// `cal sandbox serve`: the embedded calendar for other programs, until Ctrl-C.
import { isAbsolute, resolve } from "node:path";
import type { Handler } from "../command.ts";

/** Serves until the user stops it; its addresses and demo accounts are told on stderr. */
export const serve: Handler = async ({ flags }, context) => {
  const { port, "data-file": file, "seed-day": day, habits } = flags;
  const sandbox = await context.startSandbox({
    ...(typeof port === "number" ? { port } : {}),
    ...(typeof file === "string" ? { file: isAbsolute(file) ? file : resolve(file) } : {}),
    ...(typeof day === "string" ? { day } : {}),
    ...(habits === "the-events-calendar" ? { habits } : {}),
    log: (line) => void context.notice(line),
  });
  await context.say(
    [
      `base_url   ${sandbox.baseUrl}`,
      `auth_url   ${sandbox.authUrl}`,
      `namespace  ${sandbox.namespace}`,
      `client_id  ${sandbox.application.clientId} (secret: ${sandbox.application.clientSecret})`,
      ...sandbox.users.map((user) => `user       ${user.username} (password: ${user.password})`),
      "Ctrl-C ends it.",
    ].join("\n"),
  );
  await context.machine.stopped();
  return { kind: "nothing" };
};
