import { seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../src/program/program.js";

/**
 * Things of which as much worth as possible is to be carried in several bags at once, their worth close to their weight (as
 * in P. C. Chu and J. E. Beasley, A genetic algorithm for the multidimensional knapsack problem, 1998): a point is found at
 * once, nodes are quick, and the tree has no end to speak of.
 */
export function knapsacks(bags: number, things: number, seed = 1): Program {
  const random = seededRandom(seed);
  const below = (high: number) => Rational.of(BigInt(1 + random.integer(high)));
  const weights = Array.from({ length: bags }, () => Array.from({ length: things }, () => below(1000)));
  const sum = (numbers: readonly Rational[]) => numbers.reduce((total, number) => total.add(number), Rational.zero);
  const form = (of: readonly Rational[]) => linearForm(of.map((value, j) => [j, value] as const));
  const worth = Array.from({ length: things }, (_, j) => {
    const mean = sum(weights.map((row) => row[j] as Rational)).divide(Rational.of(BigInt(bags)));
    return mean.add(below(500));
  });
  return makeProgram({
    name: "knapsacks",
    columns: worth.map((_, j) => ({ name: `x${j}`, lower: Rational.zero, upper: Rational.one, integer: true })),
    rows: weights.map((row, i) => ({
      name: `bag${i}`,
      form: form(row),
      lower: null,
      upper: sum(row).divide(Rational.of(2n)),
    })),
    objective: { name: "worth", sense: "maximize", form: form(worth) },
  });
}
