/** An array file as numpy.save writes it: the header padded to a multiple of 64 bytes. */
export function npy(descr: string, data: Buffer, shape: string, { version = 1, order = "False" } = {}): Buffer {
  const fixed = version === 1 ? 10 : 12;
  const dictionary = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${shape}), }`;
  const header = dictionary.padEnd(Math.ceil((fixed + dictionary.length + 1) / 64) * 64 - fixed - 1).concat("\n");
  const preamble = Buffer.alloc(fixed);
  preamble.write("\x93NUMPY", "latin1");
  preamble[6] = version;
  if (version === 1) preamble.writeUInt16LE(header.length, 8);
  else preamble.writeUInt32LE(header.length, 8);
  return Buffer.concat([preamble, Buffer.from(header), data]);
}

/** The bytes of a typed array. */
export const bytesOf = (array: ArrayBufferView): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);
