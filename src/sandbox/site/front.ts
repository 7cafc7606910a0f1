// The site around the interface: its front page, its REST index, and who is logged in, as WordPress tells them.
import { authorizePath } from "../auth/authorize.ts";
import { createApiError } from "../problems.ts";
import type { User } from "../store/tables.ts";
import { htmlResponse, jsonResponse, type SandboxResponse } from "../wire.ts";
import { parseUtcTime } from "../zone.ts";
import { createNamespaceIndex } from "./description.ts";
import { getRestUrl, getUtcNow, getWallTimeNow, type Site } from "./site.ts";

/** The name of the site. */
const siteName = "Sandbox calendar";

/** The header by which a client finds the REST root. */
export function formatApiLinkHeader(site: Site): string {
  return `<${getRestUrl(site, "/")}>; rel="https://api.w.org/"`;
}

/** A web page of the site; its headers lead to the interface. */
export function renderFrontPage(site: Site, status: number): SandboxResponse {
  const heading = status === 404 ? "Page not found" : siteName;
  const body = `<!DOCTYPE html>
<html lang="en-US">
<head><meta charset="UTF-8"><title>${heading}</title></head>
<body><h1>${heading}</h1><p>This is a sandbox: no data here is real.</p></body>
</html>
`;
  const found = {
    "x-tec-api-version": "v1",
    "x-tec-api-root": getRestUrl(site, `/${site.namespace}/`),
    "x-tec-api-origin": site.origin,
  };
  return htmlResponse(status, body, { link: formatApiLinkHeader(site), ...(site.serverProfile === "the-events-calendar" ? found : {}) });
}

/** The REST index. */
export function createRestIndex(site: Site): SandboxResponse {
  const wordpress = site.serverProfile === "the-events-calendar";
  const offset = (parseUtcTime(getWallTimeNow(site)) - parseUtcTime(getUtcNow(site))) / 3_600_000;
  return jsonResponse(200, {
    name: siteName,
    description: "",
    url: site.origin,
    home: site.origin,
    gmt_offset: offset,
    timezone_string: site.zone,
    namespaces: wordpress ? ["oembed/1.0", site.namespace, "wp/v2"] : [site.namespace],
    authentication: wordpress ? { "application-passwords": { endpoints: { authorization: `${site.origin}${authorizePath}` } } } : {},
    routes: createNamespaceIndex(site)["routes"],
  });
}

/** `/wp/v2/users/me`: the login check of WordPress. */
export function createCurrentUserResponse(site: Site, user: User | undefined, context: unknown): SandboxResponse {
  if (user === undefined) throw createApiError(401, "rest_not_logged_in", "You are not currently logged in.");
  const { id, username, email, role } = user;
  const link = `${site.origin}/author/${username}/`;
  const edit = { username, email, roles: [role], capabilities: { [role]: true }, locale: "en_US", nickname: username };
  return jsonResponse(200, {
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
