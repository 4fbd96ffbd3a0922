import type {
  CountedBase,
  CountedProgram,
  CountedShards,
} from "../../../../../models/table-placement/counted-program.js";
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
    ...free.map(({ row, units }) => [row, each.multiply(Rational.of(units))] as const),
    ...filling.map(({ row, units }) => [row, each.multiply(Rational.of(units * gpusPerNode))] as const),
  ]);
}

export function namedMultipliers({ program }: CountedProgram, multipliers: Multipliers): NamedMultipliers {
  return Object.fromEntries([...multipliers].map(([row, value]) => [program.rows[row]?.name, value.toString()]));
}

/** The step that closes a node: each device is a block. */
export function closingStep({ program, structure }: CountedProgram, limit: number, closed: ClosedNode): Step {
  const { duals, fillings, slack } = closed;
  const { unit, bases, free, filling, loadRows, spareRows, optionRows } = structure;
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
    for (let d = v * gpusPerNode; d < (v + 1) * gpusPerNode; d++) {
      price(loadRows[d] as number, perDevice.negate());
      const key = `${least} ${perDevice} ${leftOn(closed.box, bases[v] as CountedBase, free, d)}`;
      const proof = known.get(key) ?? proofs.length;
      const spare = row(spareRows[d] as number);
      if (proof === proofs.length) {
        known.set(key, proof);
        const priced = Rational.fromNumber(-density).multiply(unit);
        proofs.push([{ enumerate: [priced.sign() === 0 ? {} : { [spare]: priced.toString() }] }]);
      }
      blocks.push({ rows: [spare], least, proof });
    }
  });
  const links = [structure.largest, ...bases.map(({ column }) => column)];
  return {
    decompose: Object.fromEntries(named),
    purpose: "bound",
    links: links.map((column) => program.columns[column]?.name as string),
    blocks,
    proofs,
  };
}

/** What a device of a node may hold, as text: the same where devices are alike. */
function leftOn({ lower, upper }: Box, { column }: CountedBase, free: readonly CountedShards[], d: number): string {
  const ranges = free.map(({ columns }) => {
    const own = columns[d] as number;
    return `${lower[own]} ${upper[own]}`;
  });
  return `${lower[column]} ${ranges.join()}`;
}
