// The token endpoints of the authentication interface (auth.md, 4.1 and 4.2), and refresh and revoke, which it does not show.
import { authPaths } from "../../spec/auth.ts";
import { parameters } from "../parameters.ts";
import type { Draft } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import type { Application } from "../store/tables.ts";
import { type Answer, type Incoming, json } from "../wire.ts";
import { applicationOf, basicOf, userOf } from "./credentials.ts";
import { type Issued, issue, revoke, tokenOf } from "./tokens.ts";

/** How tokens are issued. */
export interface AuthRules {
  /** Seconds. */
  readonly tokenLifetime: number;
  /** Whether a refresh ends the refresh token that it used. */
  readonly rotate: boolean;
  now(): number;
}

type Endpoint = (draft: Draft, request: Incoming, rules: AuthRules) => Answer;

const endpoints: Readonly<Record<string, Endpoint>> = {
  [authPaths.app]: app,
  [authPaths.token]: token,
  [authPaths.refresh]: refresh,
  [authPaths.revoke]: revocation,
};

/** Answers a token endpoint; undefined for any other path. */
export async function authAnswer(store: Store, request: Incoming, rules: AuthRules): Promise<Answer | undefined> {
  const endpoint = Object.hasOwn(endpoints, request.path) ? endpoints[request.path] : undefined;
  if (endpoint === undefined) return undefined;
  if (request.method !== "POST") return { ...failure(405, "Use POST."), headers: { allow: "POST" } };
  return store.write((draft) => endpoint(draft, request, rules));
}

function failure(status: number, message: string): Answer {
  return json(status, { error: { message, code: status } });
}

function oauthFailure(status: number, error: string, description: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(status, { error, error_description: description }, headers);
}

/** The texts of a JSON body; undefined where it isn't one, or where one of the names is missing. */
function texts(request: Incoming, names: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) return undefined;
  try {
    const entries = Object.entries(Object(JSON.parse(request.body))).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    const found = Object.fromEntries(entries);
    return names.every((name) => Object.hasOwn(found, name)) ? found : undefined;
  } catch {
    return undefined;
  }
}

function app(draft: Draft, request: Incoming, rules: AuthRules): Answer {
  const names = ["client_id", "client_secret", "username", "password"];
  const sent = texts(request, names);
  if (sent === undefined) return failure(400, `A JSON object with the texts ${names.join(", ")} is needed.`);
  const application = applicationOf(draft, sent["client_id"] ?? "", sent["client_secret"] ?? "");
  const user = userOf(draft, sent["username"] ?? "", sent["password"] ?? "");
  if (application === undefined || user === undefined) return failure(401, "Wrong application key, username or password.");
  const issued = issue(draft, { application: application.id, user, lifetime: rules.tokenLifetime, now: rules.now() });
  return json(200, {
    _TOKEN: issued.access,
    _APPLICATION: application.id,
    _IDENTITY: user.username,
    _IDENTITY_ID: String(user.id),
    "expires-at": issued.expires,
    type: "Bearer",
  });
}

function token(draft: Draft, request: Incoming, rules: AuthRules): Answer {
  const basic = basicOf(request.headers["authorization"]);
  const application = basic === undefined ? undefined : applicationOf(draft, basic.name, basic.password);
  if (application === undefined)
    return oauthFailure(401, "invalid_client", "The application key is wrong or missing.", { "www-authenticate": 'Basic realm="sandbox"' });
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? ""))
    return oauthFailure(400, "invalid_request", "A form is needed.");
  const form = parameters(request.body);
  const field = (name: string): string => (typeof form[name] === "string" ? form[name] : "");
  if (field("grant_type") === "refresh_token") return refreshed(draft, application, field("refresh_token"), rules);
  if (field("grant_type") !== "password") return oauthFailure(400, "unsupported_grant_type", "Use password or refresh_token.");
  const user = userOf(draft, field("username"), field("password"));
  if (user === undefined) return oauthFailure(400, "invalid_grant", "Wrong username or password.");
  return standard(issue(draft, { application: application.id, user, lifetime: rules.tokenLifetime, now: rules.now() }), rules);
}

function standard(issued: Issued, rules: AuthRules): Answer {
  return json(200, { access_token: issued.access, expires_in: rules.tokenLifetime, token_type: "Bearer", refresh_token: issued.refresh });
}

function refreshed(draft: Draft, application: Application, text: string, rules: AuthRules): Answer {
  const used = tokenOf(draft, "refresh", text, rules.now());
  const user = used === undefined ? undefined : draft.find("users", used.user);
  if (used === undefined || user === undefined || used.application !== application.id)
    return oauthFailure(400, "invalid_grant", "The refresh token is unknown, used or expired.");
  if (rules.rotate) draft.remove("tokens", used.id);
  const issued = issue(draft, { application: application.id, user, lifetime: rules.tokenLifetime, now: rules.now(), family: used.family });
  return standard(rules.rotate ? issued : { ...issued, refresh: text }, rules);
}

function refresh(draft: Draft, request: Incoming, rules: AuthRules): Answer {
  const sent = texts(request, ["client_id", "client_secret", "refresh_token"]);
  if (sent === undefined) return failure(400, "A JSON object with client_id, client_secret and refresh_token is needed.");
  const application = applicationOf(draft, sent["client_id"] ?? "", sent["client_secret"] ?? "");
  if (application === undefined) return failure(401, "Wrong application key.");
  return refreshed(draft, application, sent["refresh_token"] ?? "", rules);
}

/** An unknown token is revoked already: 200, as RFC 7009 says. */
function revocation(draft: Draft, request: Incoming, rules: AuthRules): Answer {
  const sent = texts(request, ["client_id", "client_secret"]);
  if (sent === undefined) return failure(400, "A JSON object with client_id, client_secret and a token is needed.");
  const application = applicationOf(draft, sent["client_id"] ?? "", sent["client_secret"] ?? "");
  if (application === undefined) return failure(401, "Wrong application key.");
  const text = sent["refresh_token"] ?? sent["token"] ?? "";
  const used = tokenOf(draft, "refresh", text, rules.now()) ?? tokenOf(draft, "access", text, rules.now());
  if (used !== undefined && used.application === application.id) revoke(draft, used.family);
  return json(200, {});
}
