// Blanks secrets in messages and logs: some servers repeat in their answers what they were sent.

/** Shorter ones may stand in any word, so they are blanked only where they are one by themselves. */
const minUnambiguousLength = 8;

/** The text with `***` for every secret in it, as it is or as it stands in an address or a form. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(getEncodedForms))].filter((form) => form !== "");
  if (forms.length === 0) return text;
  // The longest first, all in one go: one may be a part of another, or of what stands for it.
  const patterns = forms.sort((a, b) => b.length - a.length).map(toSecretPattern);
  return text.replace(new RegExp(patterns.join("|"), "gu"), "***");
}

/** The secrets in a header's value: `Bearer x` holds x, and `Basic x` the password that is packed in x. */
export function extractSecrets(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [rest, pair.slice(pair.indexOf(":") + 1)];
}

/** Secrets that are no word of everyday texts. */
export function filterUnambiguousSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= minUnambiguousLength);
}

function getEncodedForms(secret: string): readonly string[] {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, form, form.replaceAll("+", "%20")];
}

function toSecretPattern(form: string): string {
  const exact = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return form.length < minUnambiguousLength ? `(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])` : exact;
}
