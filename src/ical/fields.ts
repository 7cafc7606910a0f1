// The texts, links and states of an iCalendar event as fields of the interface.
import { toPlainText } from "../html-text.ts";
import type { Component, IcalProperty } from "./components.ts";

/** The fields of an event without its times, and what was left out. */
export function readFields(
  component: Component,
  categoriesAs: "categories" | "tags",
): { values: Readonly<Record<string, unknown>>; warnings: readonly string[] } {
  const warnings: string[] = [];
  const all = (name: string): readonly IcalProperty[] => component.properties.filter((one) => one.name === name);
  const text = (name: string): string => String(all(name)[0]?.values[0] ?? "").trim();
  const categories = all("categories").flatMap(({ values }) => values.map((value) => String(value).trim()).filter((name) => name !== ""));
  const venue = readVenue(text("location"), all("geo")[0]);
  if (venue === undefined && all("geo").length > 0) warnings.push("GEO is not read without a LOCATION: a venue needs a name");
  const organizers = all("organizer").flatMap(readOrganizer);
  const images = [...all("image"), ...all("attach").filter(isImage)];
  const image = images.map(({ values }) => String(values[0])).find((value) => /^https?:\/\//i.test(value));
  if (image === undefined && images.length > 0)
    warnings.push("an image that is in the file itself is not read: the interface takes the address of an image");
  const status = text("class").toUpperCase() === "PRIVATE" ? "private" : text("status").toUpperCase() === "TENTATIVE" ? "draft" : undefined;
  const description = readDescription(component);
  return {
    values: {
      ...(text("summary") !== "" && { title: text("summary").replace(/\s+/g, " ") }),
      ...(description !== "" && { description }),
      ...(status !== undefined && { status }),
      ...(text("url") !== "" && { website: text("url") }),
      ...(image !== undefined && { image }),
      ...(venue !== undefined && { venue }),
      ...(organizers.length > 0 && { organizer: organizers }),
      ...(categories.length > 0 && { [categoriesAs]: [...new Set(categories)] }),
    },
    warnings,
  };
}

/** HTML: of X-ALT-DESC its body, else DESCRIPTION, with its signs escaped unless it has tags. */
function readDescription({ properties }: Component): string {
  const alternative = properties.find(
    ({ name, parameters }) => name === "x-alt-desc" && /^(?:text\/html)?$/i.test(parameters["fmttype"] ?? ""),
  );
  const html = String(alternative?.values[0] ?? "");
  const body = /<body\b[^>]*>/i.exec(html);
  const from = body === null ? 0 : body.index + body[0].length;
  const end = html.toLowerCase().lastIndexOf("</body>");
  const content = html.slice(from, end < from ? undefined : end).trim();
  if (toPlainText(content).trim() !== "") return content;
  const plain = String(properties.find(({ name }) => name === "description")?.values[0] ?? "").trim();
  if (/<\/?(?:a|b|br|div|em|h[1-6]|i|img|li|ol|p|span|strong|table|u|ul)\b[^<>]*>/i.test(plain)) return plain;
  return plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/**
 * The first line of LOCATION is the name of the venue, unless the site has a venue with the name that stands before one of its commas: then the
 * rest is an address. GEO alone is no venue: a venue needs a name.
 */
function readVenue(location: string, geo: IcalProperty | undefined): Readonly<Record<string, unknown>> | undefined {
  const [name = "", ...address] = location
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (name === "") return undefined;
  const [latitude, longitude] = Array.isArray(geo?.values[0]) ? geo.values[0].map(Number) : [];
  const hasPosition = latitude !== undefined && longitude !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return {
    venue: name,
    ...(address.length === 0 && name.includes(",") && { location: name }),
    ...(address.length > 0 && { address: address.join(", ") }),
    ...(hasPosition && { geo_lat: latitude, geo_lng: longitude }),
  };
}

function readOrganizer({ parameters, values }: IcalProperty): readonly Readonly<Record<string, unknown>>[] {
  const email = /^mailto:([^\s@]+@[^\s@]+)$/i.exec(String(values[0] ?? "").trim())?.[1];
  const name = (parameters["cn"] ?? "").trim() || email;
  return name === undefined ? [] : [{ organizer: name, ...(email !== undefined && { email }) }];
}

function isImage({ parameters, values }: IcalProperty): boolean {
  return (
    /^image\//i.test(parameters["fmttype"] ?? "") || /^https?:[^?#]*\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)/i.test(String(values[0] ?? ""))
  );
}
