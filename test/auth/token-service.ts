// A foreign token endpoint: @node-oauth/oauth2-server on node:http, with users and tokens in memory.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import OAuth2Server from "@node-oauth/oauth2-server";
import { listenOnFreePort } from "./kit.ts";

/** What it knows at first. */
export const account = { clientId: "app-1", clientSecret: "s3cret of app:1", username: "ana", password: "pa ss+wörd&=%" } as const;

export interface TokenService {
  readonly authUrl: string;
  /** `grant_type scheme status`, in order. */
  readonly log: string[];
  /** Forgets all refresh tokens. */
  clearRefreshTokens(): void;
}

/** Starts it; a refresh token works once. Lifetimes are seconds. */
export async function startTokenService(accessTokenLifetime = 3600): Promise<TokenService> {
  const log: string[] = [];
  const refreshTokens = new Map<string, OAuth2Server.RefreshToken>();
  const accessTokens = new Map<string, OAuth2Server.Token>();
  const model: OAuth2Server.PasswordModel & OAuth2Server.RefreshTokenModel = {
    getClient: async (id, secret) =>
      id === account.clientId && secret === account.clientSecret && { id, grants: ["password", "refresh_token"] },
    getUser: async (username, password) => username === account.username && password === account.password && { username },
    saveToken: async (token, client, user) => {
      // The library counts whole seconds from the moment it answers: half a second more lets it answer with the lifetime itself.
      const end =
        token.accessTokenExpiresAt === undefined ? {} : { accessTokenExpiresAt: new Date(token.accessTokenExpiresAt.getTime() + 500) };
      const saved = { ...token, ...end, client, user };
      accessTokens.set(saved.accessToken, saved);
      if (saved.refreshToken !== undefined) refreshTokens.set(saved.refreshToken, { refreshToken: saved.refreshToken, client, user });
      return saved;
    },
    getAccessToken: async (text) => accessTokens.get(text),
    getRefreshToken: async (text) => refreshTokens.get(text),
    revokeToken: async (token) => refreshTokens.delete("refreshToken" in token ? (token.refreshToken ?? "") : ""),
    validateScope: async () => [],
  };
  const oauth = new OAuth2Server({ model, accessTokenLifetime, alwaysIssueNewRefreshToken: true });
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const text = (await incoming.toArray()).join("");
    const body = Object.fromEntries(new URLSearchParams(text));
    const known = incoming.url === "/api/auth/6/token";
    const request = new OAuth2Server.Request({
      method: incoming.method ?? "",
      headers: incoming.headers as Record<string, string>,
      query: {},
      body,
    });
    const response = new OAuth2Server.Response({ headers: {} });
    let said: unknown;
    try {
      if (!known) response.status = 404;
      else await oauth.token(request, response);
      said = response.body;
    } catch (error) {
      const { code, name, message } = error as { code: number; name: string; message: string };
      response.status = code;
      said = { error: name, error_description: message };
    }
    log.push(`${body["grant_type"] ?? incoming.url} ${(incoming.headers.authorization ?? "none").split(" ")[0]} ${response.status}`);
    outgoing.writeHead(response.status ?? 500, { ...response.headers, "content-type": "application/json" }).end(JSON.stringify(said));
  };
  const authUrl = await listenOnFreePort(createServer((request, response) => void answer(request, response)));
  return { authUrl, log, clearRefreshTokens: () => refreshTokens.clear() };
}
