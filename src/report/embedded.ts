import { base64 } from "./base64.js";
import { type Html, html, trusted } from "./html.js";

/** Bytes of a compressed plan file that a page holds at most: some tens of MiB of plan, a few MiB of page. */
const MAX_BYTES = 6 * 2 ** 20;

/**
 * A plan file inside the page, gzip in base64, with buttons that hand it out as it was read; or a line that says that it
 * is too large.
 */
export async function embeddedPlan({ text, file, name, hasCertificate }: EmbeddedPlan, id: string): Promise<Html> {
  const compressed = await gzip(text);
  if (compressed.length > MAX_BYTES) {
    return html`<p>The plan file is left out: with its certificate it has ${text.length} characters, and
${compressed.length} bytes compressed where a page holds ${MAX_BYTES}. It is ${file}.</p>`;
  }
  // Base64 has no letter that ends an element.
  const held = trusted(base64(compressed));
  const button = (part: string, fileName: string, words: string) =>
    html`<button hidden data-file="${id}-file" data-part="${part}" data-name="${fileName}">${words}</button>`;
  return html`<p>${button("plan", `${name}.plan.json`, "Download the plan file")}${
    hasCertificate ? button("certificate", `${name}.certificate.json`, "Download its certificate alone") : null
  }</p>
<script type="application/gzip" id="${id}-file">${held}</script>`;
}

export interface EmbeddedPlan {
  readonly text: string;
  readonly file: string;
  /** Of the files that are handed out, without an ending. */
  readonly name: string;
  readonly hasCertificate: boolean;
}

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
