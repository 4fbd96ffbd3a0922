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

/** An archive of files that are not packed, as `numpy.savez` writes it; nobody here looks at checksums. */
export function npz(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const part = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), bytes]);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, Buffer.from(name)]));
    parts.push(part);
    offset += part.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}
