// What several checks look at, as a type.
import type { Client } from "../../api/client.ts";
import type { Settings } from "../../config/settings.ts";
import type { Context } from "../../context.ts";
import type { CalError } from "../../errors.ts";
import type { RestRootResponse } from "./front.ts";
import type { CheckedLogin } from "./login.ts";

/** The parts. All but `front` and `login` reject with Unready where they can't be had. */
export interface CheckContext {
  readonly context: Context;
  settings(): Promise<Settings>;
  /** Rejects with the reason as a CalError. */
  restRoot(): Promise<RestRootResponse>;
  /** The same, for checks that need the site but do not tell why it can't be reached. */
  requireRestRoot(): Promise<RestRootResponse>;
  /** What is wrong with the keychain; undefined is nothing. */
  keychainError(): Promise<CalError | undefined>;
  /** Rejects with a CalError where there is no login although there should be one. */
  login(): Promise<CheckedLogin>;
  /** The calendar as the login sees it, or as a visitor does where that is refused. */
  client(): Promise<Client>;
}
