import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { meanCosine } from "../../../src/access/interaction/mean-cosine.js";
import { towerInteraction } from "../../../src/access/interaction/tower-interaction.js";
import { matrixCsv } from "../../../src/access/interaction/write-csv.js";
import { seededRandom } from "../../../src/exact/random.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { towerPartitionReader } from "../../../src/problems/tower-partition/instance/reader.js";
import { bytesOf, npy } from "../../support/npy.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-interaction-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MATRIX = [1, 0.5, 0.25, 0.5, 1, 0.75, 0.25, 0.75, 1];

/** Reads a matrix file as an instance of the features a, b, c (or others) names it. */
async function read(name: string, contents: string | Buffer, features = "[a, b, c]") {
  writeFileSync(join(folder, name), contents);
  const file = join(folder, `${name}.yaml`);
  const text = `shardproof: 1\nname: x\nproblem: tower-partition\ntowers: 1\nfeatures: ${features}\n`;
  writeFileSync(file, `${text}interaction: {file: ${name}}\n`);
  return [...(await towerInteraction(requireInstance(towerPartitionReader, await loadInstance(file))))];
}

const csv = (lines: readonly string[], features?: string) => read("m.csv", `${lines.join("\n")}\n`, features);
const failing = async (result: Promise<unknown>) => {
  const message = await result.then(
    () => "nothing was thrown",
    (error: Error) => error.message,
  );
  return message.slice(message.indexOf(folder) === 0 ? folder.length + 1 : 0);
};

test("text: with or without a header, with or without names of lines", async () => {
  const lines = ["1,0.5,0.25", "0.5,1,0.75", "0.25,0.75,1"];
  expect(await csv(lines)).toEqual(MATRIX);
  expect(await csv(["a,b,c", ...lines])).toEqual(MATRIX);
  expect(await csv(["# made by hand", "", ' a , "b",c\r', ...lines.map((line) => `${line}\r`)])).toEqual(MATRIX);
  const labelled = lines.map((line, k) => `${"abc"[k]},${line}`);
  expect(await csv([",a,b,c", ...labelled])).toEqual(MATRIX);
  expect(await csv(["\uFEFFfeature,a,b,c", ...labelled])).toEqual(MATRIX);
  expect(await csv(["1, .5 ,2.5e-1", "+0.5,1.0,75E-2", "0.25,0.75,1"])).toEqual(MATRIX);
});

test("what is written is read, whatever the names", async () => {
  const names = ["a,b", 'say "x"', " blank ", "#hash", "1"];
  const random = seededRandom(4);
  const matrix = new Float64Array(25).fill(1);
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j < i; j++) matrix[i * 5 + j] = matrix[j * 5 + i] = random.next();
  }
  expect(await read("names.csv", matrixCsv(names, matrix), JSON.stringify(names))).toEqual([...matrix]);
});

test("names that are numbers are a header all the same, and a matrix without one is not taken for it", async () => {
  const lines = ["1,0.5,0.25", "0.5,1,0.75", "0.25,0.75,1"];
  const labelled = lines.map((line, k) => `${k + 1},${line}`);
  const numbers = '["1", "2", "3"]';
  expect(await read("n.csv", matrixCsv(["1", "2", "3"], MATRIX), numbers)).toEqual(MATRIX);
  expect(await csv([",1,2,3", ...labelled], numbers)).toEqual(MATRIX);
  expect(await csv(lines, numbers)).toEqual(MATRIX);
  // The first line of the matrix is that of the names.
  expect(await csv(["1,0,0", "0,1,0", "0,0,1"], '["1", "0", "00"]')).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  expect(await csv(["1,0.0", "1,0.0", "0,1"], '["1", "0.0"]')).toEqual([1, 0, 0, 1]);
});

test("names may have semicolons and tabs in them, and numbers tabs around them", async () => {
  const names = '["a;b;c", "x\\ty\\tz", "c"]';
  expect(await csv(["a;b;c,x\ty\tz,c", "1,0.5,0.25", "0.5,1,0.75", "0.25,0.75,1"], names)).toEqual(MATRIX);
  expect(await csv(["1\t,0.5\t,0.25", "0.5,1,0.75", "0.25,0.75,1"])).toEqual(MATRIX);
});

test("text that is not UTF-8 is refused, not compared with the names", async () => {
  const text = "a,b,c\n1,0.5,0.25\n0.5,1,0.75\n0.25,0.75,1\n";
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
  const message = "m.csv: expected UTF-8 text, received other bytes; save the file as UTF-8";
  expect(await failing(read("m.csv", utf16))).toContain(message);
});

test.each([
  [["1;0;0", "0;1;0", "0;0;1"], "1:1: expected fields parted by commas, received semicolons; write the file with com"],
  [["1,0;0,5;0,2", "0,5;1,0;0,7", "0,2;0,7;1,0"], "1:1: expected fields parted by commas, received semicolons"],
  [["a;b;c", "1;0;0", "0;1;0", "0;0;1"], "1:1: expected fields parted by commas, received semicolons"],
  [["1\t0\t0", "0\t1\t0", "0\t0\t1"], "1:1: expected fields parted by commas, received tabs"],
  [["1,nan,0", "nan,1,0", "0,0,1"], '1:3: expected a finite number, received "nan"'],
  [["1,0,0,", "0,1,0,", "0,0,1,"], "1:1: expected 3 numbers, one for each feature, received 4; the matrix is square"],
  [["a,b,d", "1,0,0", "0,1,0", "0,0,1"], '1:5: expected the name "c", as features[2] has it, received "d"'],
  [
    ["a,b,c,d", "1,0,0,0", "0,1,0,0", "0,0,1,0", "0,0,0,1"],
    "1:1: expected a header of 3 names, one for each feature, received 4",
  ],
  [["a,b", "1,0,0", "0,1,0", "0,0,1"], "1:1: expected a header of 3 names, one for each feature, received 2"],
  [["1,0,0", "0,1", "0,0,1"], "2:1: expected 3 numbers, one for each feature, received 2; the matrix is square"],
  [["1,0,0", "0,1,0,", "0,0,1"], "2:1: expected 3 numbers, one for each feature, received 4"],
  [["1,0,0", "0,1,0"], "2:1: expected 3 lines of numbers, one for each feature, received 2"],
  [["1,0,0", "0,1,0", "0,0,1", "0,0,0"], "4:1: expected 3 lines of numbers, one for each feature, received 4"],
  [["1,0,0", "0,1, high", "0,0,1"], '2:6: expected a finite number, received "high"'],
  [["1,0,0", "0,1,", "0,0,1"], "2:5: expected a finite number, received nothing"],
  [["1,0,0", "0,1,1e999", "0,0,1"], '2:5: expected a finite number, received "1e999"'],
  [["1,0.5,0", "0,1,0", "0,0,1"], '2:1: expected 0.5, as entry [0][1] ("a" and "b") has it, because interactions are'],
  [["1,0,0", "0,1,1.5", "0,1.5,1"], '2:5: expected an interaction from 0 to 1 (of "b" and "c"), received 1.5'],
  [["a,b,c", "1,0,0", "0,0,0", "0,0,1"], '3:3: expected 1 on the diagonal ("b" with itself), received 0'],
  [[",a,b,c", "a,1,0,0", "c,0,1,0", "b,0,0,1"], '3:1: expected the name "b", as features[1] has it, received "c"'],
  [["# nothing"], " expected 3 lines of numbers, received none"],
])("text %j: %s", async (lines, message) => {
  expect(await failing(csv(lines))).toContain(`m.csv:${message}`);
});

test("array files of either precision", async () => {
  expect(await read("d.npy", npy("<f8", bytesOf(Float64Array.from(MATRIX)), "3, 3"))).toEqual(MATRIX);
  expect(await read("s.npy", npy("<f4", bytesOf(Float32Array.from(MATRIX)), "3, 3"))).toEqual(MATRIX);
});

test.each(["<f4", "<f8"] as const)(
  "an array file of %s in Fortran order is the same matrix, transposed",
  async (type) => {
    const floats = (values: readonly number[]) =>
      type === "<f4" ? Float32Array.from(values) : Float64Array.from(values);
    const fortran = (values: readonly number[]) => npy(type, bytesOf(floats(values)), "3, 3", { order: "True" });
    expect(await read("f.npy", fortran(MATRIX))).toEqual(MATRIX);
    // By columns: row 0 is 1, 0, 2. Where entries are named, they are those of the matrix.
    expect(await failing(read("f.npy", fortran([1, 0, 0, 0, 1, 0, 2, 0, 1])))).toMatch(
      /f\.npy: entry \[0\]\[2\]: expected an interaction from 0 to 1 \(of "a" and "c"\), received 2/,
    );
  },
);

test("the halves may differ by the rounding of single precision: their mean counts, within [0, 1]", async () => {
  const rounded = [1 + 1e-7, 0.3, 1 + 7e-7, 0.3 + 6e-8, 1, -1e-9, 1 - 1e-7, 0, 1 - 1e-7];
  const matrix = await read("r.npy", npy("<f8", bytesOf(Float64Array.from(rounded)), "3, 3"));
  expect(matrix).toEqual([1, (0.3 + (0.3 + 6e-8)) / 2, 1, (0.3 + (0.3 + 6e-8)) / 2, 1, 0, 1, 0, 1]);
  expect(matrix.some((entry) => Object.is(entry, -0))).toBe(false);
});

test.each([
  ["<f4", Float32Array.from(MATRIX), "9,", "expected the shape (3, 3), one row for each feature, received (9,)"],
  ["<f4", new Float32Array(4), "2, 2", "expected the shape (3, 3), one row for each feature, received (2, 2)"],
  ["<i4", new Int32Array(9), "3, 3", "expected elements of one of <f2, <f4, <f8, received <i4"],
  ["<f4", new Float32Array(8), "3, 3", "expected 36 bytes of data after the header, received 32"],
  ["<f8", Float64Array.from([1, 0, 0, 0, 1, Number.NaN, 0, 0, 1]), "3, 3", "entry [1][2]: expected an interaction"],
])("array file %s %j (%s): %s", async (type, data, shape, message) => {
  expect(await failing(read("bad.npy", npy(type, bytesOf(data), shape)))).toContain(`bad.npy: ${message}`);
});

test("mean |cos| of embeddings, by hand", async () => {
  // Two samples of three features of two elements. Angles in the first: 45° and 90°; in the second: 0° and 180°.
  const samples = [3, 0, 2, 2, 0, -5, 1, 1, 4, 4, -0.5, -0.5];
  const file = join(folder, "e.npy");
  writeFileSync(file, npy("<f4", bytesOf(Float32Array.from(samples)), "2, 3, 2"));
  const measured = await meanCosine(file);
  expect(measured).toMatchObject({ samples: 2, features: 3, dimensions: 2 });
  const half = (1 + Math.SQRT1_2) / 2;
  const expected = [1, half, 0.5, half, 1, half, 0.5, half, 1];
  for (const [k, entry] of measured.matrix.entries()) expect(entry).toBeCloseTo(expected[k] as number, 14);
});

test("mean |cos| of samples that chunks of the file cut in two", async () => {
  const [count, features, dimensions] = [9000, 5, 13];
  const random = seededRandom(9);
  const values = Float64Array.from({ length: count * features * dimensions }, () => random.next() - 0.4);
  const file = join(folder, "long.npy");
  writeFileSync(file, npy("<f8", bytesOf(values), `${count}, ${features}, ${dimensions}`));
  const reports: number[] = [];
  const { matrix } = await meanCosine(file, { onProgress: (done) => reports.push(done) });
  let sum = 0;
  for (let b = 0; b < count; b++) {
    const vector = (f: number) => values.subarray((b * features + f) * dimensions, (b * features + f + 1) * dimensions);
    const dot = (x: Float64Array, y: Float64Array) =>
      x.reduce((total, element, k) => total + element * (y[k] as number), 0);
    const [x, y] = [vector(1), vector(4)];
    sum += Math.abs(dot(x, y)) / Math.sqrt(dot(x, x) * dot(y, y));
  }
  expect(matrix[1 * features + 4]).toBeCloseTo(sum / count, 12);
  expect(matrix[4 * features + 1]).toBe(matrix[1 * features + 4]);
  expect(reports.at(-1)).toBe(count);
  expect(reports.length).toBeGreaterThan(1);
});

test.each([
  ["<f4", 2, 3, 2],
  ["<f8", 2, 3, 2],
  // Blocks of 4096 samples: the second has the rest.
  ["<f8", 5000, 4, 512],
] as const)(
  "embeddings of %s, %i × %i × %i: Fortran order changes no bit",
  async (type, samples, features, elements) => {
    const random = seededRandom(5);
    const make = (length: number) => (type === "<f4" ? new Float32Array(length) : new Float64Array(length));
    const [rows, columns] = [make(samples * features * elements), make(samples * features * elements)];
    for (let b = 0; b < samples; b++) {
      for (let f = 0; f < features; f++) {
        for (let n = 0; n < elements; n++) {
          rows[(b * features + f) * elements + n] = random.next() - 0.3;
          columns[b + samples * (f + features * n)] = rows[(b * features + f) * elements + n] as number;
        }
      }
    }
    const shape = `${samples}, ${features}, ${elements}`;
    const [c, fortran] = [join(folder, "c.npy"), join(folder, "fortran.npy")];
    writeFileSync(c, npy(type, bytesOf(rows), shape));
    writeFileSync(fortran, npy(type, bytesOf(columns), shape, { order: "True" }));
    const measured = await meanCosine(fortran);
    expect(measured).toMatchObject({ samples, features, dimensions: elements });
    expect(measured).toEqual(await meanCosine(c));
  },
);

test("a header without an order is refused", async () => {
  const file = npy("<f8", bytesOf(Float64Array.from(MATRIX)), "3, 3", { order: "Maybe" });
  expect(await failing(read("order.npy", file))).toContain("order.npy: expected fortran_order in the header, received");
});

test("vectors of the largest and the smallest numbers have directions too", async () => {
  const file = join(folder, "extreme.npy");
  writeFileSync(file, npy("<f8", bytesOf(Float64Array.of(1e308, 1e308, 5e-324, 0)), "1, 2, 2"));
  expect((await meanCosine(file)).matrix[1]).toBeCloseTo(Math.SQRT1_2, 14);
});

test("a bag without ids leaves its sample out of its own pairs alone", async () => {
  // Two samples of three features: the second lacks the last one; a fourth feature has no vector with another one.
  const values = Float64Array.of(1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0);
  const file = join(folder, "empty.npy");
  writeFileSync(file, npy("<f8", bytesOf(values), "2, 4, 2"));
  const { matrix, samples } = await meanCosine(file);
  expect(samples).toBe(2);
  expect([matrix[1], matrix[2], matrix[3], matrix[6]].map((value) => value?.toFixed(12))).toEqual(
    [0.5, Math.SQRT1_2, 0, Math.SQRT1_2].map((value) => value.toFixed(12)),
  );
  expect(matrix[15]).toBe(1);
});

test("half precision holds its numbers exactly, the smallest ones too", async () => {
  const halves = [0x3c00, 0xc000, 0x0001, 0x0400, 0x7bff, 0x3555];
  const doubles = [1, -2, 2 ** -24, 2 ** -14, 65504, 0.333251953125];
  const [half, double] = [join(folder, "half.npy"), join(folder, "double.npy")];
  writeFileSync(half, npy("<f2", bytesOf(Uint16Array.from(halves)), "1, 3, 2"));
  writeFileSync(double, npy("<f8", bytesOf(Float64Array.from(doubles)), "1, 3, 2"));
  expect(await meanCosine(half)).toEqual(await meanCosine(double));
  writeFileSync(half, npy("<f2", bytesOf(Uint16Array.from([0x7c00, 0, 1, 1])), "1, 2, 2"));
  expect(await failing(meanCosine(half))).toContain("received one with an element that is not finite");
});

test.each([
  [[1, 0, Number.NaN, 0], "1, 2, 2", 'sample 0, feature "b": expected a vector, received one with an element that is'],
  [[1, 0, 2, 0], "2, 2", "expected the shape (samples, features, elements), received (2, 2)"],
  [new Array(2001).fill(1), "1, 2001, 1", "expected at most 2000 features, received the shape (1, 2001, 1)"],
  [[], "0, 2, 2", "expected the shape (samples, features, elements), received (0, 2, 2)"],
  [[1, 0, 2, 0], "1, 4, 1", "expected 2 features, as there are names, received the shape (1, 4, 1)"],
])("embeddings %j of shape (%s): %s", async (values, shape, message) => {
  const file = join(folder, "zero.npy");
  writeFileSync(file, npy("<f8", bytesOf(Float64Array.from(values)), shape));
  expect(await failing(meanCosine(file, { names: ["a", "b"] }))).toContain(`zero.npy: ${message}`);
});
