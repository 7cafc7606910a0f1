// The sixteen colours that every terminal has; the only importer of chalk.
import { Chalk } from "chalk";

// The level is fixed because style.ts has decided already, per stream; chalk would look at the process.
const { bold, dim, red, green, magenta, cyan } = new Chalk({ level: 1 });

/** Markup by escape sequences. */
export const colorStyle = { bold, dim, red, green, magenta, cyan };
