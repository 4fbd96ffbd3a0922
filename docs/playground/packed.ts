/** The bytes that an element of the page holds in base64. */
export function packedBytes(id: string): Uint8Array<ArrayBuffer> {
  const text = atob(document.getElementById(id)?.textContent ?? "");
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** The same, unpacked with gzip, as something to make a URL of. */
export async function unpackedBlob(id: string, type: string): Promise<Blob> {
  const stream = new Blob([packedBytes(id)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Blob([await new Response(stream).arrayBuffer()], { type });
}
