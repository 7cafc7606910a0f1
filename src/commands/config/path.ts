// cal config path: where the config file is.
import type { ConfigHandler } from "./config-context.ts";

/** Answers with the path of the config file, whether it exists or not. */
export const path: ConfigHandler = async (_invocation, context) => {
  const file = await context.configFile();
  return { kind: "value", value: file.path, text: file.path };
};
