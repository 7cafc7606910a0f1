// How a help page is laid out.

/** How a page is drawn: its width, and how its headings look. */
export interface HelpStyle {
  readonly width: number;
  readonly heading: (text: string) => string;
}
