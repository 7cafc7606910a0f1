// The UI flow (auth.md, 4.3): a login page that sends the browser back with a token in the fragment.
import { authPaths, fragmentTokenParameter } from "../../spec/auth.ts";
import { parseParameters } from "../parameters.ts";
import type { StoreReader } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { escapeHtml, parseUrl, redirectResponse, type SandboxRequest, type SandboxResponse } from "../wire.ts";
import { authenticateUser } from "./credentials.ts";
import type { AuthOptions } from "./endpoints.ts";
import { isSameOriginForm, renderHiddenFields, renderLoginFields, renderPage } from "./page.ts";
import { issueTokens } from "./tokens.ts";

/** How the UI flow is bounded. */
export interface LoginOptions extends AuthOptions {
  /** Redirect URLs that are registered for every application, beside its own. */
  readonly redirectUrls: readonly string[];
  /** Whether any http address of this machine counts as registered. */
  readonly anyLoopbackRedirect: boolean;
}

/** Answers the login page and its form; undefined for any other path. */
export async function handleLoginPage(store: Store, request: SandboxRequest, rules: LoginOptions): Promise<SandboxResponse | undefined> {
  if (`${request.path.replace(/\/$/, "")}/` !== authPaths.ui) return undefined;
  if (request.method === "GET" || request.method === "HEAD")
    return store.read((data) => renderLoginForm(data, parseParameters(request.query), rules));
  if (request.method !== "POST") return { ...renderPage(405, "Use GET or POST", ""), headers: { allow: "GET, POST" } };
  if (!isSameOriginForm(request)) return renderPage(403, "This form is not ours", "<p>The form was sent by another site.</p>");
  return handleLoginForm(store, request, rules);
}

function getTextParameter(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value : "";
}

/** A page that tells why the request is refused; undefined where it isn't. */
function validateLoginRequest(
  data: StoreReader,
  sent: Readonly<Record<string, unknown>>,
  rules: LoginOptions,
): SandboxResponse | undefined {
  const application = data.find("applications", getTextParameter(sent, "client_id"));
  if (application === undefined || application.revoked)
    return renderPage(400, "Unknown application", "<p>There is no application with this client_id.</p>");
  const url = getTextParameter(sent, "redirect_url");
  const registered = [...application.redirectUrls, ...rules.redirectUrls];
  if (registered.includes(url) || (rules.anyLoopbackRedirect && isLoopbackUrl(url))) return undefined;
  return renderPage(
    400,
    "Redirect URL not registered",
    `<p><code>${escapeHtml(url)}</code> is not registered for the application <code>${escapeHtml(application.id)}</code>.</p>`,
  );
}

function isLoopbackUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && url.protocol === "http:" && url.hash === "" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
}

function renderLoginForm(data: StoreReader, sent: Readonly<Record<string, unknown>>, rules: LoginOptions, error = ""): SandboxResponse {
  const refused = validateLoginRequest(data, sent, rules);
  if (refused !== undefined) return refused;
  const clientId = getTextParameter(sent, "client_id");
  const url = getTextParameter(sent, "redirect_url");
  const form = `<p><code>${escapeHtml(clientId)}</code> asks for access to the sandbox calendar.</p>
<form method="post" action="${authPaths.ui}">
${renderHiddenFields({ client_id: clientId, redirect_url: url })}
${renderLoginFields(error, getTextParameter(sent, "username"))}
<button type="submit">Log in</button>
</form>`;
  return renderPage(error === "" ? 200 : 401, "Log in", form, new URL(url).origin);
}

async function handleLoginForm(store: Store, request: SandboxRequest, rules: LoginOptions): Promise<SandboxResponse> {
  const sent = parseParameters(request.body);
  return store.write((draft) => {
    const refused = validateLoginRequest(draft, sent, rules);
    if (refused !== undefined) return refused;
    const user = authenticateUser(draft, getTextParameter(sent, "username"), getTextParameter(sent, "password"));
    if (user === undefined) return renderLoginForm(draft, sent, rules, "Wrong username or password.");
    const issued = issueTokens(draft, {
      application: getTextParameter(sent, "client_id"),
      user,
      lifetime: rules.tokenLifetime,
      now: rules.now(),
    });
    return redirectResponse(`${getTextParameter(sent, "redirect_url")}#${fragmentTokenParameter}=${issued.accessToken}`);
  });
}
