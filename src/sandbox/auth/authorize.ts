// The page of a WordPress site that grants an application password (facts of a real server; not in the interface).
import { parseParameters } from "../parameters.ts";
import type { Store } from "../store/store.ts";
import { escapeHtml, parseUrl, redirectResponse, type SandboxRequest, type SandboxResponse } from "../wire.ts";
import { authenticateUser } from "./credentials.ts";
import { isSameOriginForm, renderHiddenFields, renderLoginFields, renderPage } from "./page.ts";
import { createApplicationPassword, hashSecret } from "./secrets.ts";

/** Where the page is; the REST index names it. */
export const authorizePath = "/wp-admin/authorize-application.php";

/** What the page needs to know of its site. */
export interface AuthorizeOptions {
  readonly siteUrl: string;
  /** Only a local environment lets a success_url be http. */
  readonly localEnvironment: boolean;
}

/** Answers the page and its form; undefined for any other path. Unlike WordPress it has no session, so it asks for the login itself. */
export async function handleAuthorizePage(
  store: Store,
  request: SandboxRequest,
  rules: AuthorizeOptions,
): Promise<SandboxResponse | undefined> {
  if (request.path !== authorizePath) return undefined;
  const posted = request.method === "POST";
  if (posted && !isSameOriginForm(request)) return renderPage(403, "This form is not ours", "<p>The form was sent by another site.</p>");
  const sent = parseParameters(posted ? request.body : request.query);
  const field = (name: string): string => (typeof sent[name] === "string" ? sent[name] : "");
  const asked = {
    app_name: field("app_name"),
    app_id: field("app_id"),
    success_url: field("success_url"),
    reject_url: field("reject_url"),
  };
  const problem = validateAuthorizationRequest(asked, rules);
  if (problem !== "") return renderPage(400, "Authorization refused", `<p role="alert">${escapeHtml(problem)}</p>`);
  if (!posted) return renderAuthorizeForm(asked, "");
  if (field("answer") === "reject") return createRejectionRedirect(asked, rules);
  return store.write((draft) => {
    const user = authenticateUser(draft, field("username"), field("password"));
    if (user === undefined) return renderAuthorizeForm(asked, "Wrong username or password.");
    if (draft.all("passwords").some((one) => one.user === user.id && one.name === asked.app_name))
      return renderPage(409, "Authorization refused", '<p role="alert">Each application name should be unique.</p>');
    const password = createApplicationPassword();
    draft.put("passwords", { id: hashSecret("application password", password.replaceAll(" ", "")), user: user.id, name: asked.app_name });
    if (asked.success_url === "") return renderPasswordPage(asked.app_name, password);
    return redirectResponse(
      addQueryParameters(asked.success_url, { site_url: rules.siteUrl, user_login: user.username, password: password.replaceAll(" ", "") }),
    );
  });
}

interface AuthorizationRequest {
  readonly app_name: string;
  readonly app_id: string;
  readonly success_url: string;
  readonly reject_url: string;
}

function validateAuthorizationRequest(asked: AuthorizationRequest, rules: AuthorizeOptions): string {
  if (asked.app_name === "") return "app_name is missing.";
  if (asked.app_id !== "" && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked.app_id))
    return "The application ID must be a UUID.";
  for (const url of [asked.success_url, asked.reject_url].filter((text) => text !== "")) {
    const parsed = parseUrl(url);
    if (parsed === undefined || ["javascript:", "data:"].includes(parsed.protocol)) return "The URL is not valid.";
    if (parsed.protocol === "http:" && !rules.localEnvironment) return "The URL must be served over a secure connection.";
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

function createRejectionRedirect(asked: AuthorizationRequest, rules: AuthorizeOptions): SandboxResponse {
  if (asked.reject_url !== "") return redirectResponse(asked.reject_url);
  if (asked.success_url !== "") return redirectResponse(addQueryParameters(asked.success_url, { success: "false" }));
  return redirectResponse(rules.siteUrl);
}

function renderPasswordPage(name: string, password: string): SandboxResponse {
  return renderPage(
    200,
    "Application password",
    `<p>The password for <code>${escapeHtml(name)}</code>, shown this once:</p>\n<p><code id="password">${escapeHtml(password)}</code></p>`,
  );
}

function addQueryParameters(url: string, values: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return target.href;
}
