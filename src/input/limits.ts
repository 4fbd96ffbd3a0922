/**
 * What is read at most, in one place; docs/limits.md says the same. Whatever is larger is refused with one sentence, before
 * memory or time is spent on it.
 */

/** Bytes of a text: an instance, a plan, a program (unpacked), a certificate, weights. */
export const MAX_TEXT_BYTES = 2 ** 28;

/** Characters of a YAML text that is no JSON: a parsed one takes some 300 bytes per character at worst. */
export const MAX_YAML_CHARACTERS = 2 ** 23;

/** Characters of an instance in JSON. */
export const MAX_INSTANCE_CHARACTERS = 2 ** 24;

/** Lists and maps within one another. */
export const MAX_NESTED = 1000;

/** Bytes of the footer of a Parquet file. */
export const MAX_FOOTER_BYTES = 2 ** 24;

/** A number of bytes in the words of messages: all limits here are whole mebibytes. */
export function mebibytes(bytes: number): string {
  return `${bytes / 2 ** 20} MiB`;
}
