import type { ScaledModel } from "../scaled-model.js";

/**
 * A scaled model as free MPS for executables: columns c0…, rows r0…, minimised. Not the writer of src/program: that one
 * writes every digit of an exact number, and CBC refuses numbers longer than some 20 characters. Here each double is
 * written as the shortest decimal that reads back as itself.
 *
 * Rows without bounds are left out (MPS readers take them for further objectives); `keptRows` are the ones that remain.
 */
export function scaledMps(model: ScaledModel): { text: string; keptRows: readonly number[] } {
  const keptRows: number[] = [];
  const out = ["NAME MODEL FREE", "ROWS", " N obj"];
  const rightSides: string[] = [];
  const ranges: string[] = [];
  const entries: string[][] = Array.from(model.cost, (cost, j) => [` c${j} obj ${cost}`]);
  for (let i = 0; i < model.rowCount; i++) {
    const [lower, upper] = [model.rowLower[i] as number, model.rowUpper[i] as number];
    if (lower === Number.NEGATIVE_INFINITY && upper === Number.POSITIVE_INFINITY) continue;
    keptRows.push(i);
    const [type, side] =
      lower === upper ? ["E", lower] : upper === Number.POSITIVE_INFINITY ? ["G", lower] : ["L", upper];
    out.push(` ${type} r${i}`);
    if (side !== 0) rightSides.push(` RHS r${i} ${side}`);
    if (type === "L" && lower !== Number.NEGATIVE_INFINITY) ranges.push(` RNG r${i} ${upper - lower}`);
    for (let k = model.starts[i] as number; k < (model.starts[i + 1] as number); k++) {
      const j = model.indices[k] as number;
      entries[j]?.push(` c${j} r${i} ${model.values[k]}`);
    }
  }
  out.push("COLUMNS");
  const bounds: string[] = [];
  entries.forEach((lines, j) => {
    const integer = model.integrality?.[j] === 1;
    if (integer) out.push(` M${j} 'MARKER' 'INTORG'`);
    for (const line of lines) out.push(line);
    if (integer) out.push(` M${j} 'MARKER' 'INTEND'`);
    for (const line of boundLines(j, model.columnLower[j] as number, model.columnUpper[j] as number)) bounds.push(line);
  });
  out.push("RHS");
  append(out, rightSides);
  if (ranges.length > 0) append(out, ["RANGES"], ranges);
  append(out, ["BOUNDS"], bounds, ["ENDATA", ""]);
  return { text: out.join("\n"), keptRows };
}

/** Both sides are always written: readers differ on what an integer column or a negative upper bound has by default. */
function boundLines(j: number, lower: number, upper: number): string[] {
  if (lower === upper) return [` FX BND c${j} ${lower}`];
  if (!Number.isFinite(lower) && !Number.isFinite(upper)) return [` FR BND c${j}`];
  return [
    lower === Number.NEGATIVE_INFINITY ? ` MI BND c${j}` : ` LO BND c${j} ${lower}`,
    upper === Number.POSITIVE_INFINITY ? ` PL BND c${j}` : ` UP BND c${j} ${upper}`,
  ];
}

/** Not by spreading: a call cannot take a hundred thousand arguments. */
function append(out: string[], ...blocks: readonly string[][]): void {
  for (const block of blocks) for (const line of block) out.push(line);
}
