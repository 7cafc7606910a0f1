// The site around the interface: its front page, its REST index, and who is logged in, as WordPress tells them.
import { authorizePath } from "../auth/authorize.ts";
import { problem } from "../problems.ts";
import type { User } from "../store/tables.ts";
import { type Answer, html, json } from "../wire.ts";
import { instant } from "../zone.ts";
import { namespaceIndex } from "./description.ts";
import { restUrl, type Site, utcNow, wallNow } from "./site.ts";

/** The name of the site. */
const siteName = "Sandbox calendar";

/** The header by which a client finds the REST root. */
export function apiLink(site: Site): string {
  return `<${restUrl(site, "/")}>; rel="https://api.w.org/"`;
}

/** A web page of the site; its headers lead to the interface. */
export function frontPage(site: Site, status: number): Answer {
  const heading = status === 404 ? "Page not found" : siteName;
  const body = `<!DOCTYPE html>
<html lang="en-US">
<head><meta charset="UTF-8"><title>${heading}</title></head>
<body><h1>${heading}</h1><p>This is a sandbox: no data here is real.</p></body>
</html>
`;
  const found = {
    "x-tec-api-version": "v1",
    "x-tec-api-root": restUrl(site, `/${site.namespace}/`),
    "x-tec-api-origin": site.origin,
  };
  return html(status, body, { link: apiLink(site), ...(site.habits === "the-events-calendar" ? found : {}) });
}

/** The REST index. */
export function restIndex(site: Site): Answer {
  const wordpress = site.habits === "the-events-calendar";
  const offset = (instant(wallNow(site)) - instant(utcNow(site))) / 3_600_000;
  return json(200, {
    name: siteName,
    description: "",
    url: site.origin,
    home: site.origin,
    gmt_offset: offset,
    timezone_string: site.zone,
    namespaces: wordpress ? ["oembed/1.0", site.namespace, "wp/v2"] : [site.namespace],
    authentication: wordpress ? { "application-passwords": { endpoints: { authorization: `${site.origin}${authorizePath}` } } } : {},
    routes: namespaceIndex(site)["routes"],
  });
}

/** `/wp/v2/users/me`: the login check of WordPress. */
export function usersMe(site: Site, user: User | undefined, context: unknown): Answer {
  if (user === undefined) throw problem(401, "rest_not_logged_in", "You are not currently logged in.");
  const { id, username, email, role } = user;
  const link = `${site.origin}/author/${username}/`;
  const edit = { username, email, roles: [role], capabilities: { [role]: true }, locale: "en_US", nickname: username };
  return json(200, {
    id,
    name: username,
    url: site.origin,
    description: "",
    link,
    slug: username,
    meta: [],
    ...(context === "edit" ? edit : {}),
  });
}
