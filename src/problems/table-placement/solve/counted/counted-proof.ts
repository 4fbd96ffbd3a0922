import type { CountedBase } from "../../../../../models/table-placement/counted-placement.js";
import type { CountedProgram } from "../../../../../models/table-placement/counted-program.js";
import { Rational } from "../../../../exact/rational.js";
import type { BlockClaim, NamedMultipliers, Step } from "../../../../proof/certificate.js";
import type { Multipliers } from "../../../../proof/kernel/bound.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { Filling } from "./best-filling.js";
import type { CountedDuals } from "./counted-lp.js";

/** A node whose relaxation is above the limit, in shares of it. */
export interface ClosedNode {
  readonly box: Box;
  readonly duals: CountedDuals;
  /** By node of devices, what a device holds at best. */
  readonly fillings: readonly Filling[];
  /** What each device may hold beyond that. */
  readonly slack: number;
}

/** Multipliers under which an option costs what its shards come to, by device. */
export function meanMultipliers({ structure }: CountedProgram): Multipliers {
  const { unit, bases, free, filling, loadRows } = structure;
  const each = unit.divide(Rational.of(BigInt(loadRows.length)));
  const gpusPerNode = BigInt(loadRows.length / bases.length);
  return new Map([
    ...loadRows.map((row) => [row, each.negate()] as const),
    ...free.map(({ row, need }) => [row, each.multiply(Rational.of(need.units))] as const),
    ...filling.map(({ row, need }) => [row, each.multiply(Rational.of(need.units * gpusPerNode))] as const),
  ]);
}

export function namedMultipliers(
  { program }: Pick<CountedProgram, "program">,
  multipliers: Multipliers,
): NamedMultipliers {
  return Object.fromEntries([...multipliers].map(([row, value]) => [program.rows[row]?.name, value.toString()]));
}

/** The step that closes a node: each device is a block. */
export function closingStep({ program, structure }: CountedProgram, limit: number, closed: ClosedNode): Step {
  const { duals, fillings, slack } = closed;
  const { unit, bases, free, filling, chosen, loadRows, spareRows, optionRows, hbmRows, hbmBytes } = structure;
  const gpusPerNode = loadRows.length / bases.length;
  const row = (r: number) => program.rows[r]?.name as string;
  const named: [string, string][] = [];
  const price = (r: number, value: Rational) => {
    if (value.sign() !== 0) named.push([row(r), value.toString()]);
  };
  const perLimit = (value: number) => Rational.fromNumber(value * limit);
  optionRows.forEach((r, c) => {
    price(r, perLimit(duals.classes[c] as number));
  });
  free.forEach(({ row: r }, s) => {
    price(r, perLimit(duals.free[s] as number));
  });
  filling.forEach(({ row: r }, s) => {
    price(r, perLimit(duals.filling[s] as number));
  });
  const blocks: BlockClaim[] = [];
  const proofs: Step[][] = [];
  const known = new Map<string, number>();
  bases.forEach(({ row: base }, v) => {
    const load = Rational.fromNumber(duals.loads[v] as number);
    price(base, load.add(Rational.fromNumber(duals.bases[v] as number)).multiply(unit));
    const perDevice = load.divide(Rational.of(BigInt(gpusPerNode))).multiply(unit);
    const { worth, density } = fillings[v] as Filling;
    const least = perLimit(-(worth + slack)).toString();
    const ofMemory = perLimit((duals.bytes[v] as number) / hbmBytes);
    const settled = filling.map(({ columns }) => columns[v] as number);
    for (let d = v * gpusPerNode; d < (v + 1) * gpusPerNode; d++) {
      price(loadRows[d] as number, perDevice.negate());
      const hbm = hbmRows[d];
      if (hbm !== undefined) price(hbm, ofMemory.negate());
      const own = [...free.map(({ columns }) => columns[d] as number), ...(hbm === undefined ? [] : settled)];
      const key = `${least} ${perDevice} ${ofMemory} ${rangesOf(closed.box, [(bases[v] as CountedBase).column, ...own])}`;
      const proof = known.get(key) ?? proofs.length;
      const rows = [spareRows[d] as number, ...(hbm === undefined ? [] : [hbm])];
      if (proof === proofs.length) {
        known.set(key, proof);
        const weights = [Rational.fromNumber(-density.cost).multiply(unit), perLimit(-density.hbm / hbmBytes)];
        proofs.push([{ enumerate: rows.map((r, k) => namedMultipliers({ program }, weighted(r, weights[k]))) }]);
      }
      blocks.push({ rows: rows.map(row), least, proof });
    }
  });
  const ofBytes = hbmRows.length === 0 ? [] : [...chosen.flat(), ...filling.flatMap(({ columns }) => columns)];
  const links = [structure.largest, ...bases.map(({ column }) => column), ...ofBytes];
  return {
    decompose: Object.fromEntries(named),
    purpose: "bound",
    links: links.map((column) => program.columns[column]?.name as string),
    blocks,
    proofs,
  };
}

function weighted(row: number, weight: Rational | undefined): Multipliers {
  return new Map(weight === undefined || weight.sign() === 0 ? [] : [[row, weight]]);
}

/** Ranges of columns as text: the same where devices are alike. */
function rangesOf({ lower, upper }: Box, columns: readonly number[]): string {
  return columns.map((column) => `${lower[column]} ${upper[column]}`).join();
}
