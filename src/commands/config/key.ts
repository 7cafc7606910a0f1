// The key that a user typed -> its row of the settings, or a refusal that helps.

import { meant } from "../../closest.ts";
import { type Key, keyNamed, keys } from "../../config/keys.ts";
import { usage } from "../../errors.ts";

const secrets: ReadonlySet<string> = new Set(["password", "token", "access_token", "refresh_token", "client_secret", "secret", "api_key"]);

/** The setting of that name. Throws a usage CalError for a secret and for an unknown name. */
export function settingNamed(name: string): Key {
  const key = keyNamed(name);
  if (key !== undefined) return key;
  if (secrets.has(name.toLowerCase().replaceAll("-", "_"))) {
    throw usage(`"${name}" is a secret, and secrets are never in the config file`, "cal auth login asks for it and keeps it safe");
  }
  const names = keys.map((row) => row.name);
  throw usage(`there is no setting "${name}"${meant(name, names) || `; there are ${names.join(", ")}`}`);
}

/** The setting of that name that a profile can hold. Throws a usage CalError where it is for one call only. */
export function storableSetting(name: string): Key {
  const key = settingNamed(name);
  if (key.stored !== "never") return key;
  const ways = [key.flag === undefined ? [] : [`--${key.flag}`], key.env === undefined ? [] : [`${key.env}=1`]].flat();
  throw usage(`"${key.name}" is not stored; it is given with each call: ${ways.join(" or ")}`);
}
