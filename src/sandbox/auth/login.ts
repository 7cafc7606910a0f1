// The UI flow (auth.md, 4.3): a login page that sends the browser back with a token in the fragment.
import { authPaths, fragmentToken } from "../../spec/auth.ts";
import { parameters } from "../parameters.ts";
import type { Data } from "../store/memory.ts";
import type { Store } from "../store/store.ts";
import { type Answer, escapeHtml, type Incoming, redirect, urlOf } from "../wire.ts";
import { userOf } from "./credentials.ts";
import type { AuthRules } from "./endpoints.ts";
import { hidden, isOwnForm, loginFields, page } from "./page.ts";
import { issue } from "./tokens.ts";

/** How the UI flow is bounded. */
export interface LoginRules extends AuthRules {
  /** Redirect URLs that are registered for every application, beside its own. */
  readonly redirectUrls: readonly string[];
  /** Whether any http address of this machine counts as registered. */
  readonly anyLoopbackRedirect: boolean;
}

/** Answers the login page and its form; undefined for any other path. */
export async function loginAnswer(store: Store, request: Incoming, rules: LoginRules): Promise<Answer | undefined> {
  if (`${request.path.replace(/\/$/, "")}/` !== authPaths.ui) return undefined;
  if (request.method === "GET" || request.method === "HEAD") return store.read((data) => shown(data, parameters(request.query), rules));
  if (request.method !== "POST") return { ...page(405, "Use GET or POST", ""), headers: { allow: "GET, POST" } };
  if (!isOwnForm(request)) return page(403, "This form is not ours", "<p>The form was sent by another site.</p>");
  return submitted(store, request, rules);
}

function text(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  return typeof value === "string" ? value : "";
}

/** A page that tells why the request is refused; undefined where it isn't. */
function refusal(data: Data, sent: Readonly<Record<string, unknown>>, rules: LoginRules): Answer | undefined {
  const application = data.find("applications", text(sent, "client_id"));
  if (application === undefined || application.revoked)
    return page(400, "Unknown application", "<p>There is no application with this client_id.</p>");
  const url = text(sent, "redirect_url");
  const registered = [...application.redirectUrls, ...rules.redirectUrls];
  if (registered.includes(url) || (rules.anyLoopbackRedirect && isLoopback(url))) return undefined;
  return page(
    400,
    "Redirect URL not registered",
    `<p><code>${escapeHtml(url)}</code> is not registered for the application <code>${escapeHtml(application.id)}</code>.</p>`,
  );
}

function isLoopback(text: string): boolean {
  const url = urlOf(text);
  return url !== undefined && url.protocol === "http:" && url.hash === "" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
}

function shown(data: Data, sent: Readonly<Record<string, unknown>>, rules: LoginRules, error = ""): Answer {
  const refused = refusal(data, sent, rules);
  if (refused !== undefined) return refused;
  const clientId = text(sent, "client_id");
  const url = text(sent, "redirect_url");
  const form = `<p><code>${escapeHtml(clientId)}</code> asks for access to the sandbox calendar.</p>
<form method="post" action="${authPaths.ui}">
${hidden({ client_id: clientId, redirect_url: url })}
${loginFields(error, text(sent, "username"))}
<button type="submit">Log in</button>
</form>`;
  return page(error === "" ? 200 : 401, "Log in", form, new URL(url).origin);
}

async function submitted(store: Store, request: Incoming, rules: LoginRules): Promise<Answer> {
  const sent = parameters(request.body);
  return store.write((draft) => {
    const refused = refusal(draft, sent, rules);
    if (refused !== undefined) return refused;
    const user = userOf(draft, text(sent, "username"), text(sent, "password"));
    if (user === undefined) return shown(draft, sent, rules, "Wrong username or password.");
    const issued = issue(draft, { application: text(sent, "client_id"), user, lifetime: rules.tokenLifetime, now: rules.now() });
    return redirect(`${text(sent, "redirect_url")}#${fragmentToken}=${issued.access}`);
  });
}
