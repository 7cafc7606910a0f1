// A programme of events by day, as Markdown for a newsletter or as one page of HTML to publish or to print.
import { decodeEntities } from "../html-text.ts";

/** All texts are plain words. */
export interface ProgrammeEvent {
  readonly title: string;
  /** `20:00–23:00` or `all day`. */
  readonly hours: string;
  /** What follows the title: venue, price, the last day. */
  readonly details: readonly string[];
  /** The address of its page as the server sent it; "" where there is none. */
  readonly url: string;
}

export interface Programme {
  /** In their order, only days with events. */
  readonly days: readonly { readonly date: string; readonly events: readonly ProgrammeEvent[] }[];
  /** The zone of the times. */
  readonly zone: string;
}

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `2027-01-16` as `Saturday 16 January 2027`. */
export function formatDayName(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${dayNames[day.getUTCDay()]} ${day.getUTCDate()} ${monthNames[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

export function formatProgramme(programme: Programme, format: "markdown" | "html"): string {
  return format === "html" ? formatHtml(programme) : formatMarkdown(programme);
}

function formatTitle({ days }: Programme): string {
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (first === undefined || last === undefined) return "No events";
  return first === last ? formatDayName(first) : `${formatDayName(first)} to ${formatDayName(last)}`;
}

/** The address of a web page; undefined for any other. */
function toWebAddress(text: string): string | undefined {
  const address = decodeEntities(text);
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).href : undefined;
}

function formatMarkdown(programme: Programme): string {
  const lines = [`# ${formatTitle(programme)}`, "", `Times: ${escapeMarkdown(programme.zone)}`];
  for (const { date, events } of programme.days) {
    lines.push("", `## ${formatDayName(date)}`, "");
    for (const { title, hours, details, url } of events) {
      const address = toWebAddress(url);
      const name = `**${escapeMarkdown(title)}**`;
      const link = address === undefined ? name : `[${name}](<${address.replaceAll("\\", "%5C").replaceAll("&", "&amp;")}>)`;
      lines.push(`- ${[hours, link, ...details.map(escapeMarkdown)].join(" · ")}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Escapes what Markdown gives a meaning inside a line, and what its extensions make links of. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#|~&$@]|:(?=\/\/)|(?<=\bwww)\./gi, "\\$&");
}

const style = `
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem; color: #1a1a1a; background: #fff; font: 1rem/1.45 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; text-wrap: balance; }
h2 { margin: 2rem 0 0; padding-bottom: .25rem; border-bottom: 2px solid; font-size: 1.15rem; break-after: avoid; }
h1, h2, li { overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .6rem 0; border-bottom: 1px solid #ccc; break-inside: avoid; }
.hours { flex: 0 0 7rem; font-variant-numeric: tabular-nums; }
.event { flex: 1 1 16rem; min-width: 0; }
.title { margin: 0; font-weight: 600; }
.event p { margin: 0; text-align: left; }
.zone, .detail { color: #555; }
.zone { margin: .25rem 0 0; }
a { color: #0b57a4; }
@page { margin: 18mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  a { color: inherit; text-decoration: none; }
  a::after { content: attr(href); display: block; direction: ltr; color: #555; font-size: 8pt; font-weight: 400; }
}
`;

/** One page that loads nothing, by its own rule too: a text of the site can't make the browser load or run anything. */
function formatHtml(programme: Programme): string {
  const title = formatTitle(programme);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="zone">Times: ${escapeHtml(programme.zone)}</p>
${programme.days.map(formatHtmlDay).join("")}</main>
</body>
</html>
`;
}

function formatHtmlDay({ date, events }: Programme["days"][number]): string {
  return `<section>\n<h2>${formatDayName(date)}</h2>\n<ul>\n${events.map(formatHtmlEvent).join("")}</ul>\n</section>\n`;
}

function formatHtmlEvent({ title, hours, details, url }: ProgrammeEvent): string {
  const address = toWebAddress(url);
  const name = escapeHtml(title);
  const link = address === undefined ? name : `<a href="${escapeHtml(address)}">${name}</a>`;
  const lines = details.map((detail) => `<p class="detail" dir="auto">${escapeHtml(detail)}</p>\n`).join("");
  return `<li><span class="hours">${hours}</span>\n<div class="event"><p class="title" dir="auto">${link}</p>\n${lines}</div></li>\n`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
