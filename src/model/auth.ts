// The authentication interface as data (docs/interface/auth.md). Paths are relative to {auth_url}.

/** Sections 4.1 to 4.3, and the two paths that section 4 does not show but older services have. */
export const authPaths = {
  app: "/api/auth/6/app",
  token: "/api/auth/6/token",
  ui: "/api/auth/6/ui/",
  refresh: "/api/auth/6/refresh",
  revoke: "/api/auth/6/revoke",
} as const;

/** The name of the token in the URL fragment of the UI flow, spelled as section 4.3 spells it. */
export const fragmentTokenParameter = "accessoken";

/** The ways to log in: the flows of sections 4.1 to 4.3, and the one of WordPress sites ("not shown" in the interface). */
export const authMethods = ["password", "browser", "application-password"] as const;

export type AuthMethod = (typeof authMethods)[number];

/** The lifetime in seconds of a token for which the service gives none (section 8). */
export const defaultTokenLifetime = 3600;
