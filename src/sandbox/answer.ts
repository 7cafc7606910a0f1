// Every request's way: the token endpoints, the two login pages, the calendar, the site's web pages.
import { CalError } from "../errors.ts";
import { handleAuthorizePage } from "./auth/authorize.ts";
import { handleTokenEndpoint } from "./auth/endpoints.ts";
import { handleLoginPage, type LoginOptions } from "./auth/login.ts";
import { type CalendarService, handleCalendarRequest } from "./calendar.ts";
import { formatApiLinkHeader, renderFrontPage } from "./site/front.ts";
import { jsonResponse, ResponseError, type SandboxRequest, type SandboxResponse } from "./wire.ts";

/** All that a sandbox answers from. */
export interface SandboxState {
  readonly calendar: CalendarService;
  readonly login: LoginOptions;
  readonly localEnvironment: boolean;
}

/** The statuses of what this machine refuses, by the word for it; 500 for the rest. */
const statusByErrorCode: Readonly<Record<string, number>> = { locked: 503, "disk-full": 507 };

/** The answer to a request: always one, whatever is wrong with it. `report` is told of defects, and of what this machine refuses. */
export async function dispatchRequest(
  world: SandboxState,
  request: SandboxRequest,
  report: (error: unknown) => void,
): Promise<SandboxResponse> {
  try {
    return await routeRequest(world, request);
  } catch (error) {
    if (error instanceof ResponseError) return addLinkHeader(world, error.response);
    report(error);
    if (error instanceof CalError) {
      const status = statusByErrorCode[error.details.code ?? ""] ?? 500;
      return jsonResponse(status, { code: "sandbox_unavailable", message: error.message, data: { status } });
    }
    return jsonResponse(500, { code: "internal_server_error", message: "The sandbox has a defect.", data: { status: 500 } });
  }
}

async function routeRequest({ calendar, login, localEnvironment }: SandboxState, request: SandboxRequest): Promise<SandboxResponse> {
  const { site, store } = calendar;
  const authorize = { siteUrl: site.origin, localEnvironment };
  const found =
    (await handleTokenEndpoint(store, request, login)) ??
    (await handleLoginPage(store, request, login)) ??
    (site.serverProfile === "the-events-calendar" ? await handleAuthorizePage(store, request, authorize) : undefined);
  if (found !== undefined) return found;
  const answer = await handleCalendarRequest(calendar, request);
  if (answer !== undefined) return addLinkHeader({ calendar }, answer);
  return renderFrontPage(site, request.path === "/" || request.path === "/index.php" ? 200 : 404);
}

/** WordPress names its REST root on every answer. */
function addLinkHeader({ calendar: { site } }: Pick<SandboxState, "calendar">, answer: SandboxResponse): SandboxResponse {
  return { ...answer, headers: { link: formatApiLinkHeader(site), ...answer.headers } };
}
