// How a token or an application password is put on a request ("not shown" in section 5, so header and scheme are settings).
import type { AuthHeader } from "./access.ts";
import type { AuthSettings } from "./parts.ts";
import { encodeBasicCredentials } from "./password.ts";

/** Presents a token; `Authorization: Bearer` unless the profile says otherwise. */
export function bearerHeader(settings: AuthSettings, token: string, source: string): AuthHeader {
  const scheme = settings.auth_scheme?.value ?? "Bearer";
  const header = (settings.auth_header?.value ?? "authorization").toLowerCase();
  return { header, value: scheme === "" ? token : `${scheme} ${token}`, source };
}

/** Presents a user name with an application password, as sites that run WordPress take them. */
export function basicHeader(username: string, password: string, source: string): AuthHeader {
  return { header: "authorization", value: `Basic ${encodeBasicCredentials(username, password)}`, source };
}
