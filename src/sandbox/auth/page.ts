// The frame of the sandbox's web pages: plain, readable without scripts, in light and dark; nothing is loaded from elsewhere.
import { createHash } from "node:crypto";
import { escapeHtml, htmlResponse, type SandboxRequest, type SandboxResponse } from "../wire.ts";

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

/** A page. `content` is HTML; `formTarget` is the origin that an answer to its form redirects to, which a browser would block otherwise. */
export function renderPage(status: number, title: string, content: string, formTarget = ""): SandboxResponse {
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

/** The two fields of a login, with what was wrong before them. */
export function renderLoginFields(error: string, username = ""): string {
  const alert = error === "" ? "" : `<p role="alert" id="error">${escapeHtml(error)}</p>\n`;
  const described = error === "" ? "" : ' aria-describedby="error"';
  return `${alert}<label for="username">Username</label>
<input id="username" name="username" value="${escapeHtml(username)}" autocomplete="username" autocapitalize="none" required autofocus${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described}>`;
}

/** Values that the form carries along. */
export function renderHiddenFields(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join("\n");
}

/** Whether a form was posted from one of our own pages. Programs send neither header, and no page can make them. */
export function isSameOriginForm(request: SandboxRequest): boolean {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  return (origin === undefined || origin === `http://${host}`) && (site === undefined || site === "same-origin" || site === "none");
}
