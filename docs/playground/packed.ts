/** The bytes that an element of the page holds in base64. */
export function packedBytes(id: string): Uint8Array<ArrayBuffer> {
  const text = document.getElementById(id)?.textContent ?? "";
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The same, unpacked with gzip, as something to make a URL of. */
export async function unpackedBlob(id: string, type: string): Promise<Blob> {
  const stream = new Blob([packedBytes(id)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Blob([await new Response(stream).arrayBuffer()], { type });
}
