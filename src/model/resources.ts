// The five resources, in the interface's order.
import { categories } from "./categories.ts";
import { events } from "./events.ts";
import { organizers } from "./organizers.ts";
import type { Resource, ResourceName } from "./resource.ts";
import { tags } from "./tags.ts";
import { venues } from "./venues.ts";

/** Every resource by its name. */
export const resources: Readonly<Record<ResourceName, Resource>> = { events, venues, organizers, categories, tags };

/** The namespace of the interface (section 1) and of sites that run The Events Calendar. */
export const namespaces = { interface: "calendar/events/v1", theEventsCalendar: "tribe/events/v1" } as const;
