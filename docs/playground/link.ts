/** An instance or a program with the name that messages use. */
export interface Linked {
  readonly name: string;
  readonly text: string;
}

/** Letters of an address that all browsers and most programs keep whole. */
const MAX_LETTERS = 60_000;

/** Letters of a file's name, on most file systems. */
const MAX_NAME = 255;

/** The end of an address that carries a text, packed; `null` where it would be too long. */
export async function linkTo(linked: Linked): Promise<string | null> {
  const stream = new Blob([JSON.stringify(linked)]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const hash = `#i=${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return hash.length > MAX_LETTERS ? null : hash;
}

/** What the end of an address carries; `null` where it carries nothing. Fails where it carries something else. */
export async function linkedText(hash: string): Promise<Linked | null> {
  const [, letters] = /^#i=([\w-]+)$/.exec(hash) ?? [];
  if (letters === undefined || letters.length > MAX_LETTERS) return null;
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { name, text } = JSON.parse(await new Response(stream).text());
  return typeof name === "string" && name.length <= MAX_NAME && typeof text === "string" ? { name, text } : null;
}
