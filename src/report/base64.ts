/** Bytes that go through one call at a time: a call takes so many arguments and no more. */
const PIECE = 2 ** 14;

/** Bytes in base64, by what browsers have as well. */
export function base64(bytes: Uint8Array): string {
  let letters = "";
  for (let from = 0; from < bytes.length; from += PIECE) {
    letters += String.fromCharCode(...bytes.subarray(from, from + PIECE));
  }
  return btoa(letters);
}
