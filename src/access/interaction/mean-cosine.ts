import { type FileHandle, open } from "node:fs/promises";
import { InputError } from "../../errors/input-error.js";
import { MAX_FEATURES } from "../../instance/types/tower-partition.js";
import { FLOAT_BYTES, type FloatType, floatsOf } from "../npy/floats.js";
import { type NpyLayout, readNpyLayout } from "../npy/layout.js";

/** The interactions of features, and what they were measured on. */
export interface MeasuredInteraction {
  readonly samples: number;
  readonly features: number;
  /** Elements of an embedding vector. */
  readonly dimensions: number;
  /** I(i, j), F × F by rows: symmetric, in [0, 1], ones on the diagonal. */
  readonly matrix: Float64Array;
  /** The pairs i < j that no sample has, by their indices: they count 0, which nothing was measured of. */
  readonly unmeasured: readonly (readonly [number, number])[];
}

export interface MeanCosineOptions {
  /** Names of the features, for messages; default f0, f1, …. As many as the file has features. */
  readonly names?: readonly string[];
  readonly onProgress?: (samples: number, of: number) => void;
}

/**
 * I(i, j) = mean over samples of |cos(E_i, E_j)|, the interaction of features i and j (DMT, section 3.3), from the
 * embedding vectors E of shape (B, F, N) = (samples, features, elements) in a NumPy array file of float16, float32 or
 * float64, in C or in Fortran order. A vector of zeros is that of a bag without ids: its sample counts for the pairs of which
 * both have ids, and a pair that no sample has is 0. Computed in doubles, sample by sample; memory is that of some samples and
 * 2 · F² sums.
 *
 * Throws `InputError` when the file is none of these, holds no sample or more features than an instance may have, names are too many or too few, and, with the sample
 * and the feature, for a vector with an element that is not finite.
 */
export async function meanCosine(path: string, options: MeanCosineOptions = {}): Promise<MeasuredInteraction> {
  const { names, onProgress } = options;
  const layout = await readNpyLayout(path, {
    elementBytes: FLOAT_BYTES,
    takesFortran: true,
    checkShape: (lengths, text) => checkShape(path, lengths, text, names),
  });
  const [samples, features, dimensions] = layout.shape as [number, number, number];
  const sums = new Float64Array(features * features);
  // Samples in which both features of a pair have a vector, less than all.
  const lacking = new Float64Array(features * features);
  let done = 0;
  for await (const block of sampleBlocks(path, layout)) {
    for (let start = 0; start < block.length; start += features * dimensions) {
      const sample = block.subarray(start, start + features * dimensions);
      const { empty, faulty } = normalise(sample, features);
      if (faulty !== undefined) failAt(path, done, faulty, names);
      if (empty.length > 0) addLacking(lacking, empty, features);
      addCosines(sums, sample, features);
      done++;
    }
    onProgress?.(done, samples);
  }
  return { samples, features, dimensions, ...meanOf(sums, lacking, features, samples) };
}

function checkShape(
  path: string,
  shape: readonly number[] | null,
  text: string,
  names: readonly string[] | undefined,
): void {
  if (shape?.length !== 3 || shape.some((length) => length === 0)) {
    const message = `expected the shape (samples, features, elements), received (${text}); stack the features' vectors along the second axis`;
    throw new InputError(message, path);
  }
  const features = shape[1] as number;
  if (features > MAX_FEATURES) {
    throw new InputError(`expected at most ${MAX_FEATURES} features, received the shape (${text})`, path);
  }
  if (names === undefined || names.length === features) return;
  const message = `expected ${names.length} features, as there are names, received the shape (${text}); give one name for each`;
  throw new InputError(message, path);
}

/**
 * Divides every vector by its length. The features whose vector is zeros, which a bag without ids pools to, and the first
 * that has an element that is not finite.
 */
function normalise(sample: Float64Array, features: number): { readonly empty: number[]; readonly faulty?: number } {
  const dimensions = sample.length / features;
  const empty: number[] = [];
  for (let feature = 0; feature < features; feature++) {
    const vector = sample.subarray(feature * dimensions, (feature + 1) * dimensions);
    // By the largest element first, so that no square leaves the range of doubles.
    let largest = 0;
    for (const element of vector) {
      if (!Number.isFinite(element)) return { empty, faulty: feature };
      largest = Math.max(largest, Math.abs(element));
    }
    if (largest === 0) {
      empty.push(feature);
      continue;
    }
    let squares = 0;
    for (let k = 0; k < dimensions; k++) squares += ((vector[k] as number) / largest) ** 2;
    const length = Math.sqrt(squares);
    for (let k = 0; k < dimensions; k++) vector[k] = (vector[k] as number) / largest / length;
  }
  return { empty };
}

/** Counts a sample for every pair i > j of which one is empty; its cosines are zeros already. */
function addLacking(lacking: Float64Array, empty: readonly number[], features: number): void {
  const isEmpty = new Uint8Array(features);
  for (const feature of empty) isEmpty[feature] = 1;
  for (let i = 1; i < features; i++) {
    for (let j = 0; j < i; j++) {
      if (isEmpty[i] || isEmpty[j]) lacking[i * features + j] = (lacking[i * features + j] as number) + 1;
    }
  }
}

/** Adds |cos| of every pair i > j of vectors of length 1. */
function addCosines(sums: Float64Array, sample: Float64Array, features: number): void {
  const dimensions = sample.length / features;
  for (let i = 1; i < features; i++) {
    for (let j = 0; j < i; j++) {
      let cosine = 0;
      for (let k = 0, a = i * dimensions, b = j * dimensions; k < dimensions; k++) {
        cosine += (sample[a + k] as number) * (sample[b + k] as number);
      }
      sums[i * features + j] = (sums[i * features + j] as number) + Math.abs(cosine);
    }
  }
}

/** A pair that no sample has is not seen to interact. */
function meanOf(
  sums: Float64Array,
  lacking: Float64Array,
  features: number,
  samples: number,
): Pick<MeasuredInteraction, "matrix" | "unmeasured"> {
  const matrix = new Float64Array(sums.length);
  const unmeasured: [number, number][] = [];
  for (let i = 0; i < features; i++) {
    matrix[i * features + i] = 1;
    for (let j = 0; j < i; j++) {
      const shared = samples - (lacking[i * features + j] as number);
      if (shared === 0) unmeasured.push([j, i]);
      // Rounding may leave the mean of ones above 1.
      const mean = Math.min(1, (sums[i * features + j] as number) / Math.max(1, shared));
      matrix[i * features + j] = mean;
      matrix[j * features + i] = mean;
    }
  }
  return { matrix, unmeasured };
}

function failAt(path: string, sample: number, feature: number, names: readonly string[] | undefined): never {
  const name = JSON.stringify(names?.[feature] ?? `f${feature}`);
  const received = "one with an element that is not finite; correct it or leave the sample out";
  throw new InputError(`sample ${sample}, feature ${name}: expected a vector, received ${received}`, path);
}

/** Of a file in C order: whole samples, so that progress can be told. */
const BLOCK_BYTES = 1 << 21;

/** Of a file in Fortran order, where every element of a vector is a read of its own: the more samples, the longer each. */
const FORTRAN_BLOCK_BYTES = 1 << 26;

/**
 * The samples of an array of shape (samples, features, elements), in their order: blocks of whole samples in doubles, each a
 * vector for each feature. A block is the caller's only until it asks for another. Throws `InputError` when the file ends
 * too early.
 */
async function* sampleBlocks(path: string, layout: NpyLayout<FloatType>): AsyncGenerator<Float64Array> {
  const [samples, features, elements] = layout.shape as [number, number, number];
  const size = features * elements;
  const bytes = layout.isFortran ? FORTRAN_BLOCK_BYTES : BLOCK_BYTES;
  const most = Math.min(samples, Math.max(1, Math.floor(bytes / (size * 8))));
  const block = new Float64Array(most * size);
  const file = await open(path, "r");
  try {
    for (let first = 0; first < samples; first += most) {
      const count = Math.min(most, samples - first);
      const read = (element: number, length: number) => readFloats(file, path, layout, element, length);
      if (layout.isFortran) {
        // The samples run fastest, then the features, then the elements.
        for (let feature = 0; feature < features; feature++) {
          for (let element = 0; element < elements; element++) {
            const values = await read(first + samples * (feature + features * element), count);
            const at = feature * elements + element;
            for (let k = 0; k < count; k++) block[k * size + at] = values[k] as number;
          }
        }
      } else block.set(await read(first * size, count * size));
      yield block.subarray(0, count * size);
    }
  } finally {
    await file.close();
  }
}

async function readFloats(
  file: FileHandle,
  path: string,
  { type, bytesPerElement, offset }: NpyLayout<FloatType>,
  element: number,
  length: number,
): Promise<Float32Array | Float64Array> {
  const chunk = new Uint8Array(new ArrayBuffer(length * bytesPerElement));
  for (let done = 0; done < chunk.length; ) {
    const position = offset + element * bytesPerElement + done;
    const { bytesRead } = await file.read(chunk, done, chunk.length - done, position);
    if (bytesRead === 0) throw new InputError("the file ends too early; write it again", path);
    done += bytesRead;
  }
  return floatsOf(type, chunk);
}
