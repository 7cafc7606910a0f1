// Colour on a terminal: whether there is any, and what it looks like. The only importer of chalk.

/** Marks up text; without colour every part returns the text as it is. No yellow: on a white terminal nobody can read it. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly magenta: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** The values of `--color`. */
export type ColorFlag = "auto" | "always" | "never";

/**
 * Whether a stream gets colour. The flag decides; under `auto` then NO_COLOR, FORCE_COLOR (`0` and `false` mean none), TERM=dumb,
 * and last whether the stream is a terminal. An empty NO_COLOR counts as not set.
 */
export function isColorEnabled(isTTY: boolean, env: Readonly<Record<string, string | undefined>>, flag: ColorFlag): boolean {
  if (flag !== "auto") return flag === "always";
  if (env["NO_COLOR"]) return false;
  const force = env["FORCE_COLOR"];
  if (force !== undefined) return force !== "0" && force !== "false";
  return isTTY && env["TERM"] !== "dumb";
}

/** The style of one stream. An unknown value of `--color` counts as `auto`. */
export async function resolveStyle(
  stream: { readonly isTTY: boolean },
  env: Readonly<Record<string, string | undefined>>,
  { color, "no-color": none }: { readonly color?: unknown; readonly "no-color"?: unknown },
): Promise<Style> {
  const flag = none === true ? "never" : color === "always" || color === "never" ? color : "auto";
  return createStyle({ color: isColorEnabled(stream.isTTY, env, flag) });
}

const identity = (text: string): string => text;

/** No markup at all. */
export const plainStyle: Style = { bold: identity, dim: identity, red: identity, green: identity, magenta: identity, cyan: identity };

/** The style with colour or without; chalk is loaded only where there is colour. */
export async function createStyle({ color }: { readonly color: boolean }): Promise<Style> {
  if (!color) return plainStyle;
  const { Chalk } = await import("chalk");
  // The sixteen colours that every terminal has. Without a fixed level chalk would look at the process itself.
  const { bold, dim, red, green, magenta, cyan } = new Chalk({ level: 1 });
  return { bold, dim, red, green, magenta, cyan };
}
