// The page of a WordPress site that grants an application password (facts of a real server; not in the interface).
import { parameters } from "../parameters.ts";
import type { Store } from "../store/store.ts";
import { type Answer, escapeHtml, type Incoming, redirect, urlOf } from "../wire.ts";
import { userOf } from "./credentials.ts";
import { hidden, isOwnForm, loginFields, page } from "./page.ts";
import { hash, mintPassword } from "./secrets.ts";

/** Where the page is; the REST index names it. */
export const authorizePath = "/wp-admin/authorize-application.php";

/** What the page needs to know of its site. */
export interface AuthorizeRules {
  readonly siteUrl: string;
  /** Only a local environment lets a success_url be http. */
  readonly localEnvironment: boolean;
}

/** Answers the page and its form; undefined for any other path. Unlike WordPress it has no session, so it asks for the login itself. */
export async function authorizeAnswer(store: Store, request: Incoming, rules: AuthorizeRules): Promise<Answer | undefined> {
  if (request.path !== authorizePath) return undefined;
  const posted = request.method === "POST";
  if (posted && !isOwnForm(request)) return page(403, "This form is not ours", "<p>The form was sent by another site.</p>");
  const sent = parameters(posted ? request.body : request.query);
  const field = (name: string): string => (typeof sent[name] === "string" ? sent[name] : "");
  const asked = {
    app_name: field("app_name"),
    app_id: field("app_id"),
    success_url: field("success_url"),
    reject_url: field("reject_url"),
  };
  const problem = problemOf(asked, rules);
  if (problem !== "") return page(400, "Authorization refused", `<p role="alert">${escapeHtml(problem)}</p>`);
  if (!posted) return form(asked, "");
  if (field("answer") === "reject") return rejected(asked, rules);
  return store.write((draft) => {
    const user = userOf(draft, field("username"), field("password"));
    if (user === undefined) return form(asked, "Wrong username or password.");
    if (draft.all("passwords").some((one) => one.user === user.id && one.name === asked.app_name))
      return page(409, "Authorization refused", '<p role="alert">Each application name should be unique.</p>');
    const password = mintPassword();
    draft.put("passwords", { id: hash("application password", password.replaceAll(" ", "")), user: user.id, name: asked.app_name });
    if (asked.success_url === "") return shown(asked.app_name, password);
    return redirect(
      extended(asked.success_url, { site_url: rules.siteUrl, user_login: user.username, password: password.replaceAll(" ", "") }),
    );
  });
}

interface Asked {
  readonly app_name: string;
  readonly app_id: string;
  readonly success_url: string;
  readonly reject_url: string;
}

function problemOf(asked: Asked, rules: AuthorizeRules): string {
  if (asked.app_name === "") return "app_name is missing.";
  if (asked.app_id !== "" && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(asked.app_id))
    return "The application ID must be a UUID.";
  for (const url of [asked.success_url, asked.reject_url].filter((text) => text !== "")) {
    const parsed = urlOf(url);
    if (parsed === undefined || ["javascript:", "data:"].includes(parsed.protocol)) return "The URL is not valid.";
    if (parsed.protocol === "http:" && !rules.localEnvironment) return "The URL must be served over a secure connection.";
  }
  return "";
}

function form(asked: Asked, error: string): Answer {
  const content = `<p><code>${escapeHtml(asked.app_name)}</code> asks for an application password.</p>
<form method="post" action="${authorizePath}">
${hidden({ ...asked })}
${loginFields(error)}
<button type="submit" name="answer" value="approve">Approve</button>
<button type="submit" name="answer" value="reject" class="second" formnovalidate>Reject</button>
</form>`;
  const targets = [asked.success_url, asked.reject_url].flatMap((url) => urlOf(url)?.origin ?? []);
  return page(error === "" ? 200 : 401, "Authorize application", content, targets.join(" "));
}

function rejected(asked: Asked, rules: AuthorizeRules): Answer {
  if (asked.reject_url !== "") return redirect(asked.reject_url);
  if (asked.success_url !== "") return redirect(extended(asked.success_url, { success: "false" }));
  return redirect(rules.siteUrl);
}

function shown(name: string, password: string): Answer {
  return page(
    200,
    "Application password",
    `<p>The password for <code>${escapeHtml(name)}</code>, shown this once:</p>\n<p><code id="password">${escapeHtml(password)}</code></p>`,
  );
}

function extended(url: string, values: Readonly<Record<string, string>>): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
  return target.href;
}
