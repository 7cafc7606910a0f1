// The two pages of the sandbox with a login: the UI flow (auth.md, 4.3), and WordPress's page that grants application passwords.

import { createHash } from "node:crypto";
import { authPaths, fragmentTokenParameter } from "../../model/auth.ts";
import {
  escapeHtml,
  htmlResponse,
  type Params,
  parseParameters,
  parseUrl,
  redirectResponse,
  type SandboxRequest,
  type SandboxResponse,
} from "../http.ts";
import { authorizePath } from "../site.ts";
import type { Store, StoreReader } from "../store.ts";
import type { AuthOptions } from "./endpoints.ts";
import { authenticateUser, createApplicationPassword, hashSecret, issueTokens } from "./tokens.ts";

export interface LoginOptions extends AuthOptions {
  /** Whether a redirect URL is accepted that is not registered, or that is http where https is needed. */
  acceptsRedirect(url: string): boolean;
}

/** The UI flow: a login page that sends the browser back with a token in the fragment. Undefined for any other path. */
export async function handleLoginPage(store: Store, request: SandboxRequest, options: LoginOptions): Promise<SandboxResponse | undefined> {
  if (`${request.path.replace(/\/$/, "")}/` !== authPaths.ui) return undefined;
  const isPost = request.method === "POST";
  if (!isPost && request.method !== "GET" && request.method !== "HEAD")
    return { ...renderPage(405, "Use GET or POST", ""), headers: { allow: "GET, POST" } };
  if (isPost && !isSameOriginForm(request)) return renderForeignFormPage();
  const field = createFieldReader(parseParameters(isPost ? request.body : request.query));
  const clientId = field("client_id");
  const redirectUrl = field("redirect_url");
  if (!isPost)
    return store.read((data) => findLoginProblem(data, clientId, redirectUrl, options) ?? renderLoginForm(clientId, redirectUrl));
  return store.write((draft) => {
    const refused = findLoginProblem(draft, clientId, redirectUrl, options);
    if (refused !== undefined) return refused;
    const user = authenticateUser(draft, field("username"), field("password"));
    if (user === undefined)
      return renderLoginForm(clientId, redirectUrl, { error: "Wrong username or password.", username: field("username") });
    const issued = issueTokens(draft, { application: clientId, user, lifetime: options.tokenLifetime, now: options.now() });
    return redirectResponse(`${redirectUrl}#${fragmentTokenParameter}=${issued.accessToken}`);
  });
}

/** A page that says why the request is refused; undefined where it is not. */
function findLoginProblem(data: StoreReader, clientId: string, redirectUrl: string, options: LoginOptions): SandboxResponse | undefined {
  const application = data.find("applications", clientId);
  if (application === undefined || application.revoked)
    return renderPage(400, "Unknown application", "<p>There is no application with this client_id.</p>");
  if (application.redirectUrls.includes(redirectUrl) || options.acceptsRedirect(redirectUrl)) return undefined;
  const content = `<p><code>${escapeHtml(redirectUrl)}</code> is not registered for the application <code>${escapeHtml(clientId)}</code>.</p>`;
  return renderPage(400, "Redirect URL not registered", content);
}

function renderLoginForm(clientId: string, redirectUrl: string, { error = "", username = "" } = {}): SandboxResponse {
  const form = `<p><code>${escapeHtml(clientId)}</code> asks for access to the sandbox calendar.</p>
<form method="post" action="${authPaths.ui}">
${renderHiddenFields({ client_id: clientId, redirect_url: redirectUrl })}
${renderLoginFields(error, username)}
<button type="submit">Log in</button>
</form>`;
  return renderPage(error === "" ? 200 : 401, "Log in", form, new URL(redirectUrl).origin);
}

/**
 * The page of a WordPress site that grants an application password (facts of a real server; not in the interface). Unlike WordPress it has
 * no session, so it asks for the login itself. Undefined for any other path.
 */
export async function handleAuthorizePage(
  store: Store,
  request: SandboxRequest,
  options: LoginOptions & { readonly siteUrl: string },
): Promise<SandboxResponse | undefined> {
  if (request.path !== authorizePath) return undefined;
  const isPost = request.method === "POST";
  if (isPost && !isSameOriginForm(request)) return renderForeignFormPage();
  const field = createFieldReader(parseParameters(isPost ? request.body : request.query));
  const asked: AuthorizationRequest = {
    app_name: field("app_name"),
    app_id: field("app_id"),
    success_url: field("success_url"),
    reject_url: field("reject_url"),
  };
  const problem = findAuthorizationProblem(asked, options);
  if (problem !== "") return renderPage(400, "Authorization refused", `<p role="alert">${escapeHtml(problem)}</p>`);
  if (!isPost) return renderAuthorizeForm(asked, "");
  if (field("answer") === "reject") {
    if (asked.reject_url !== "") return redirectResponse(asked.reject_url);
    return redirectResponse(asked.success_url === "" ? options.siteUrl : addQueryParameters(asked.success_url, { success: "false" }));
  }
  return store.write((draft) => {
    const user = authenticateUser(draft, field("username"), field("password"));
    if (user === undefined) return renderAuthorizeForm(asked, "Wrong username or password.");
    if (draft.all("passwords").some((one) => one.user === user.id && one.name === asked.app_name))
      return renderPage(409, "Authorization refused", '<p role="alert">Each application name should be unique.</p>');
    const shown = createApplicationPassword();
    const password = shown.replaceAll(" ", "");
    draft.put("passwords", { id: hashSecret("application password", password), user: user.id, name: asked.app_name });
    if (asked.success_url !== "")
      return redirectResponse(addQueryParameters(asked.success_url, { site_url: options.siteUrl, user_login: user.username, password }));
    const content = `<p>The password for <code>${escapeHtml(asked.app_name)}</code>, shown this once:</p>
<p><code id="password">${escapeHtml(shown)}</code></p>`;
    return renderPage(200, "Application password", content);
  });
}

interface AuthorizationRequest {
  readonly app_name: string;
  readonly app_id: string;
  readonly success_url: string;
  readonly reject_url: string;
}

function findAuthorizationProblem({ app_name, app_id, success_url, reject_url }: AuthorizationRequest, options: LoginOptions): string {
  if (app_name === "") return "app_name is missing.";
  if (app_id !== "" && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(app_id)) return "The application ID must be a UUID.";
  for (const url of [success_url, reject_url].filter((text) => text !== "")) {
    const parsed = parseUrl(url);
    if (parsed === undefined || ["javascript:", "data:"].includes(parsed.protocol)) return "The URL is not valid.";
    if (parsed.protocol === "http:" && !options.acceptsRedirect(url)) return "The URL must be served over a secure connection.";
  }
  return "";
}

function renderAuthorizeForm(asked: AuthorizationRequest, error: string): SandboxResponse {
  const content = `<p><code>${escapeHtml(asked.app_name)}</code> asks for an application password.</p>
<form method="post" action="${authorizePath}">
${renderHiddenFields({ ...asked })}
${renderLoginFields(error)}
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="reject" class="second" formnovalidate>Reject</button>
</form>`;
  const targets = [asked.success_url, asked.reject_url].flatMap((url) => parseUrl(url)?.origin ?? []);
  return renderPage(error === "" ? 200 : 401, "Authorize application", content, targets.join(" "));
}

function addQueryParameters(url: string, values: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return target.href;
}

function createFieldReader(params: Params): (name: string) => string {
  return (name) => {
    const value = params[name];
    return typeof value === "string" ? value : "";
  };
}

function renderForeignFormPage(): SandboxResponse {
  return renderPage(403, "This form is not ours", "<p>The form was sent by another site.</p>");
}

// The pages work without scripts, in light and dark; nothing is loaded from elsewhere.

const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1b1f; --paper: #fff; --line: #767680; --accent: #1a56c4; --bad: #a3182b; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --paper: #17171b; --line: #8e8e99; --accent: #9dbdff; --bad: #ff9aa5; } }
body { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
main { max-width: 24rem; margin: 10vh auto 0; padding: 0 1.5rem 3rem; }
label { display: block; margin-top: 1rem; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; color: inherit; background: transparent; }
button { font: inherit; margin: 1.5rem .5rem 0 0; padding: .5rem 1.5rem; border: 2px solid var(--accent); border-radius: .25rem; color: var(--paper); background: var(--accent); }
button.second { color: var(--accent); background: transparent; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code { overflow-wrap: anywhere; }
[role=alert] { color: var(--bad); font-weight: 600; }
`;

const styleHash = createHash("sha256").update(pageStyle).digest("base64");

/** `content` is HTML. `formTarget` is the origin that the form redirects to; a browser blocks any other one. */
function renderPage(status: number, title: string, content: string, formTarget = ""): SandboxResponse {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' ${formTarget}; frame-ancestors 'none'; base-uri 'none'`;
  const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
  return htmlResponse(status, document, {
    "content-security-policy": policy.replace(" ;", ";"),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    // Not "no-referrer": browsers would then send `Origin: null` with the form.
    "referrer-policy": "same-origin",
  });
}

function renderLoginFields(error: string, username = ""): string {
  const alert = error === "" ? "" : `<p role="alert" id="error">${escapeHtml(error)}</p>\n`;
  const described = error === "" ? "" : ' aria-describedby="error"';
  return `${alert}<label for="username">Username</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none" required autofocus${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described}>`;
}

function renderHiddenFields(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join("\n");
}

/** Whether a form was posted from one of our own pages. Programs send neither header, and no page can set them. */
function isSameOriginForm(request: SandboxRequest): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  return (origin === undefined || origin === `http://${host}`) && (site === undefined || site === "same-origin" || site === "none");
}
