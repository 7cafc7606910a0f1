// Every request's way: the token endpoints, the two login pages, the calendar, the site's web pages.
import { CalError } from "../errors.ts";
import { authorizeAnswer } from "./auth/authorize.ts";
import { authAnswer } from "./auth/endpoints.ts";
import { type LoginRules, loginAnswer } from "./auth/login.ts";
import { type Calendar, calendarAnswer } from "./calendar.ts";
import { apiLink, frontPage } from "./site/front.ts";
import { type Answer, type Incoming, json, Refusal } from "./wire.ts";

/** All that a sandbox answers from. */
export interface World {
  readonly calendar: Calendar;
  readonly login: LoginRules;
  readonly localEnvironment: boolean;
}

/** The statuses of what this machine refuses, by the word for it; 500 for the rest. */
const troubles: Readonly<Record<string, number>> = { locked: 503, "disk-full": 507 };

/** The answer to a request: always one, whatever is wrong with it. `report` is told of defects, and of what this machine refuses. */
export async function answerOf(world: World, request: Incoming, report: (error: unknown) => void): Promise<Answer> {
  try {
    return await routed(world, request);
  } catch (error) {
    if (error instanceof Refusal) return withLink(world, error.answer);
    report(error);
    if (error instanceof CalError) {
      const status = troubles[error.details.code ?? ""] ?? 500;
      return json(status, { code: "sandbox_unavailable", message: error.message, data: { status } });
    }
    return json(500, { code: "internal_server_error", message: "The sandbox has a defect.", data: { status: 500 } });
  }
}

async function routed({ calendar, login, localEnvironment }: World, request: Incoming): Promise<Answer> {
  const { site, store } = calendar;
  const authorize = { siteUrl: site.origin, localEnvironment };
  const found =
    (await authAnswer(store, request, login)) ??
    (await loginAnswer(store, request, login)) ??
    (site.habits === "the-events-calendar" ? await authorizeAnswer(store, request, authorize) : undefined);
  if (found !== undefined) return found;
  const answer = await calendarAnswer(calendar, request);
  if (answer !== undefined) return withLink({ calendar }, answer);
  return frontPage(site, request.path === "/" || request.path === "/index.php" ? 200 : 404);
}

/** WordPress names its REST root on every answer. */
function withLink({ calendar: { site } }: Pick<World, "calendar">, answer: Answer): Answer {
  return { ...answer, headers: { link: apiLink(site), ...answer.headers } };
}
