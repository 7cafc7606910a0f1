// The page that the browser comes back to: it hands the login over, clears the address bar and says what to do.
import type { OutgoingHttpHeaders } from "node:http";
import { nonceHeader } from "./guard.ts";

const commonHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  connection: "close",
} as const;

/** The headers of every answer that is not the page. */
export const plainTextHeaders: OutgoingHttpHeaders = {
  ...commonHeaders,
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The headers of the page: only its own script and style run, nothing is loaded, nobody frames it. */
export function pageHeaders(scriptNonce: string): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${scriptNonce}'`,
    `style-src 'nonce-${scriptNonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...commonHeaders, "content-type": "text/html; charset=utf-8", "content-security-policy": policy.join("; ") };
}

const style = `
:root { color-scheme: light dark; --ground: #f6f5f2; --card: #ffffff; --ink: #1d1d1f; --soft: #55555c; --line: #dddbd5; --good: #1a6e3c; --bad: #a32a1c; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #17181b; --card: #212327; --ink: #f1f1f3; --soft: #b3b4bb; --line: #383b41; --good: #6fd295; --bad: #ff9a8c; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.55 system-ui, sans-serif; }
main { width: 100%; max-width: 30rem; padding: 2.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
svg { display: block; width: 2.5rem; height: 2.5rem; margin-bottom: 1.25rem; color: var(--soft); }
h1 { margin: 0 0 0.5rem; font-size: 1.5rem; line-height: 1.25; font-weight: 600; text-wrap: balance; }
p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
[data-state="good"] svg { color: var(--good); }
[data-state="bad"] svg { color: var(--bad); }
path { display: none; }
[data-state="wait"] .wait, [data-state="good"] .good, [data-state="bad"] .bad { display: inline; }
`;

const script = `
const main = document.querySelector("main");
const show = (state, title, text) => {
  main.dataset.state = state;
  document.title = title + " - cal";
  main.querySelector("h1").textContent = title;
  main.querySelector("p").textContent = text;
};
const fragment = location.hash.slice(1);
const query = location.search.slice(1);
history.replaceState(null, "", location.pathname);
const handOver = async () => {
  if (fragment === "" && query === "") {
    return show("bad", "No login came with this page", "If you have just reloaded it, all may be well: your terminal tells. Otherwise start again there.");
  }
  try {
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { "content-type": "application/json", [main.dataset.header]: main.dataset.nonce },
      body: JSON.stringify({ fragment, query }),
    });
    const said = await answer.text();
    if (answer.ok) return show("good", "Back to your terminal", "It has received the login. You can close this window.");
    show("bad", "This did not work", said + " Your terminal tells more. You can close this window.");
  } catch {
    show("bad", "Your terminal is not waiting any more", "Start the login again there. You can close this window.");
  }
};
handOver();
`;

/** The page, whole. Nothing that came from outside is part of it. */
export function renderCallbackPage(scriptNonce: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Logging in - cal</title>
<style nonce="${scriptNonce}">${style}</style>
</head>
<body>
<main data-state="wait" data-header="${nonceHeader}" data-nonce="${nonce}">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
<circle cx="12" cy="12" r="10"/><path class="wait" d="M12 7v5l3 2"/><path class="good" d="M7.5 12.5l3 3 6-6.5"/><path class="bad" d="M12 7v6M12 16.5v.5"/>
</svg>
<div role="status" aria-live="polite">
<h1>Logging in</h1>
<p>One moment: the login is handed to your terminal.</p>
</div>
<noscript><p>This page needs JavaScript to hand the login over. Without it, start again with: cal auth login --method browser --no-browser</p></noscript>
</main>
<script nonce="${scriptNonce}">${script}</script>
</body>
</html>
`;
}
