// Blanks secrets in messages and logs: some servers repeat in their answers what they were sent.

/** A shorter secret may be a part of any word, so it is redacted only as a whole word. */
const minUnambiguousLength = 8;

/** Replaces every secret by `***`, also in its form for a query or a form body. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => {
    const encoded = new URLSearchParams([["", secret]]).toString().slice(1);
    return [secret, encoded, encoded.replaceAll("+", "%20")];
  });
  // The longest first and in one pass: a secret may be a part of another, or of `***`.
  const patterns = [...new Set(forms)]
    .filter((form) => form !== "")
    .sort((left, right) => right.length - left.length)
    .map((form) => {
      const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return form.length < minUnambiguousLength ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal;
    });
  return patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "gu"), "***");
}

/** The secrets in the value of a header: the token of `Bearer`, the encoded pair of `Basic` and the password in it. */
export function extractSecrets(value: string): readonly string[] {
  const [, scheme = "", rest = value] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [rest];
  const pair = Buffer.from(rest, "base64").toString();
  return [rest, pair.slice(pair.indexOf(":") + 1)];
}

/** The secrets that are too long to be a part of an ordinary word. */
export function filterUnambiguousSecrets(secrets: readonly string[]): readonly string[] {
  return secrets.filter((secret) => secret.length >= minUnambiguousLength);
}
