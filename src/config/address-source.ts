// Where an address came from, in the words of a hint.
import { formatCalCommand } from "./profiles.ts";
import type { Settings } from "./settings.ts";

/** What follows on "check the address": who gave it, and for a profile the command that mends it. An address of no setting was typed as an argument. */
export function addressSource(url: string, settings: Settings): string {
  const { origin } = new URL(url);
  const name = (["base_url", "auth_url"] as const).find((key) => {
    const address = settings[key]?.value;
    return address !== undefined && new URL(address).origin === origin;
  });
  const source = name === undefined ? undefined : settings[name]?.origin;
  if (name === undefined || source === undefined) return " you typed";
  const given = /^(?:flag|environment) (.*)$/.exec(source)?.[1];
  if (given !== undefined) return ` in ${given}`;
  return source.startsWith("profile ") ? `: ${formatCalCommand(settings)} config set ${name} <url>` : "";
}
