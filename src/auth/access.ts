// How a request is let in: the seam between the HTTP layer and everything that knows of logins.

/** What is put on a request. */
export interface AuthHeader {
  /** Header name, lower case. */
  readonly header: string;
  /** The whole value of the header: a secret. */
  readonly value: string;
  /** Where it came from, for messages: `CAL_TOKEN`, `keychain`, `sandbox`. */
  readonly source: string;
}

/** Which token now? One per process; it may ask the keychain or the authentication service, as late as possible. */
export interface AuthHeaderProvider {
  /** The access for calls now, refreshed where it is about to expire; undefined where nobody is logged in. */
  getAuthHeader(): Promise<AuthHeader | undefined>;
  /** After a 401: another access to try once, or undefined where there is none. */
  refreshAuthHeader(refused: AuthHeader): Promise<AuthHeader | undefined>;
}

/** One access for all calls, with no other behind it; none for a visitor. */
export function createStaticAuthHeaderProvider(access?: AuthHeader): AuthHeaderProvider {
  return { getAuthHeader: async () => access, refreshAuthHeader: async () => undefined };
}
