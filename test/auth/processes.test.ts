// Twenty processes that start at once with a token that has ended: one refresh, and no process fails.

import { expect, test } from "vitest";
import { requestTokenByPassword } from "../../src/auth/password.ts";
import { createAuthSettings, createTempFolder, createTestCredentialStore, createTestTransport, realClock } from "./kit.ts";
import { buildAuthHeaderProgram, runNode } from "./programs.ts";
import { account, startTokenService } from "./token-service.ts";

test("twenty commands with an ended token and a rotating refresh token refresh once", async () => {
  const path = await createTempFolder();
  const service = await startTokenService();
  const grant = await requestTokenByPassword(
    { authUrl: service.authUrl, transport: createTestTransport(), clock: realClock },
    "token",
    account,
  );
  const row = {
    profile: "default",
    store: "file",
    method: "password",
    application: account.clientId,
    auth_origin: service.authUrl,
    expires_at: realClock.now() - 1000,
  } as const;
  const secrets = { "access-token": grant.accessToken, "refresh-token": grant.refreshToken ?? "", "client-secret": account.clientSecret };
  await createTestCredentialStore(path, realClock).save(row, secrets);
  const program = await buildAuthHeaderProgram(path);
  const settings = JSON.stringify(createAuthSettings({ auth_url: service.authUrl }));
  const ended = await Promise.all(Array.from({ length: 20 }, () => runNode([program, path, "none", settings])));
  expect(new Set(ended.map(({ code, stdout, stderr }) => `${code} ${stdout} ${stderr}`)).size).toBe(1);
  expect(ended[0]).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Bearer [0-9a-f]{64}\n$/), stderr: "" });
  expect(ended[0]?.stdout).not.toContain(grant.accessToken);
  expect(service.log).toEqual(["password Basic 200", "refresh_token Basic 200"]);
});
