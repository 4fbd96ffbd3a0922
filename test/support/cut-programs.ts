import { Rational } from "../../src/exact/rational.js";
import { programHash } from "../../src/program/hash.js";
import { linearForm, makeProgram, type Program } from "../../src/program/program.js";
import type { Certificate, CutStep, KnapsackStep, NamedMultipliers, Step } from "../../src/proof/certificate.js";
import { Incumbent } from "../../src/search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../src/search/branch-and-bound/search.js";
import { SearchSpace } from "../../src/search/branch-and-bound/space.js";
import { withRelaxation } from "../../src/search/exact-milp/lp-relaxation.js";
import { type Draw, programOf, ratio, type SketchRow } from "../fuzz/oracle/draw.js";
import { tryEveryInteger } from "../fuzz/oracle/every-integer.js";
import type { Truth } from "../fuzz/oracle/truth.js";

/** A small program with cuts to find: covering rows and knapsacks, equations, continuous columns with fixed charges. */
export function drawCutProgram(draw: Draw): Program {
  const integers = draw.int(2, 4);
  const charges = draw.int(0, 2);
  const n = integers + 2 * charges;
  const coefficient = () => ratio(draw.int(-3, 12), draw.oneIn(5) ? draw.of([2, 3, 10]) : 1);
  const columns = Array.from({ length: n }, (_, j) =>
    j < integers
      ? ([ratio(draw.int(-1, 0)), ratio(draw.int(1, 3)), true] as const)
      : (j - integers) % 2 === 0
        ? ([ratio(0), draw.oneIn(3) ? null : ratio(draw.int(3, 20), 2), false] as const)
        : ([ratio(0), ratio(1), true] as const),
  );
  const rows: SketchRow[] = Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
    const coefficients = columns.map(([, , integer]) =>
      draw.oneIn(4) ? ratio(0) : integer ? coefficient() : ratio(draw.int(1, 3)),
    );
    const side = ratio(draw.int(3, 25), draw.of([1, 1, 2]));
    if (draw.oneIn(6)) return [coefficients, side, side];
    return draw.oneIn(3) ? [coefficients, null, side] : [coefficients, side, null];
  });
  for (let c = 0; c < charges; c++) {
    const limit = columns.map(() => ratio(0));
    limit[integers + 2 * c] = ratio(1);
    limit[integers + 2 * c + 1] = ratio(-draw.int(4, 12));
    rows.push([limit, null, ratio(0)]);
  }
  if (draw.oneIn(4)) {
    const members = columns.map((_, j) => ratio(j < integers ? 1 : 0));
    rows.push([members, ratio(2), ratio(2)]);
  }
  return programOf({
    columns,
    rows: draw.shuffled(rows),
    costs: columns.map(() => ratio(draw.int(1, 9))),
    maximise: false,
    constant: ratio(draw.int(-3, 3)),
  });
}

/** A small program of knapsacks over binaries, some of them between 1 and 2, with other integers and continuous columns. */
export function drawKnapsackProgram(draw: Draw): Program {
  const columns = Array.from({ length: draw.int(5, 8) }, () => {
    const lower = draw.oneIn(5) ? 1 : 0;
    return [ratio(lower), ratio(lower + (draw.oneIn(8) ? 2 : 1)), true] as const;
  });
  const beside = draw.oneIn(2) ? [[ratio(0), ratio(draw.int(1, 9), 2), false] as const] : [];
  const all = [...columns, ...beside];
  const rows = Array.from({ length: draw.int(1, 3) }, (): SketchRow => {
    const denominator = draw.oneIn(4) ? draw.of([2, 3, 7]) : 1;
    const weights = all.map(() => ratio(draw.oneIn(4) ? 0 : draw.int(draw.oneIn(4) ? -9 : 2, 12), denominator));
    const [least, most] = (["min", "max"] as const).map((end) =>
      weights.reduce((sum, weight, j) => {
        const [low, high] = all[j] as (typeof all)[number];
        return sum.add(weight.multiply(weight.sign() > 0 === (end === "max") ? high : low));
      }, Rational.zero),
    ) as [Rational, Rational];
    const side = least.add(most.subtract(least).multiply(ratio(draw.int(3, 7), 10)));
    return draw.oneIn(3) ? [weights, side, null] : [weights, null, side];
  });
  return programOf({
    columns: all,
    rows,
    costs: all.map(() => ratio(draw.int(-12, draw.oneIn(3) ? 9 : -1))),
    maximise: false,
    constant: ratio(draw.int(-3, 3)),
  });
}

/** A small program of binaries, two of which exclude each other in most rows, or one of which asks for another. */
export function drawConflictProgram(draw: Draw): Program {
  const n = draw.int(5, 8);
  const none = Array.from({ length: n }, () => ratio(0));
  const rows: SketchRow[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      if (draw.oneIn(3)) continue;
      const weight = draw.oneIn(4) ? ratio(draw.int(2, 9), draw.of([1, 2])) : ratio(1);
      // xᵢ + xⱼ ≤ 1, or xᵢ ≤ xⱼ: the one and the other's complement.
      const isOrder = draw.oneIn(6);
      rows.push([none.with(i, weight).with(j, isOrder ? weight.negate() : weight), null, isOrder ? ratio(0) : weight]);
    }
  }
  if (draw.oneIn(2)) rows.push([none.map(() => ratio(draw.int(0, 5))), null, ratio(draw.int(4, 9))]);
  return programOf({
    columns: none.map(() => [ratio(0), ratio(1), true]),
    rows: draw.shuffled(rows),
    costs: none.map(() => ratio(draw.int(-12, -1))),
    maximise: false,
    constant: ratio(draw.int(-3, 3)),
  });
}

/** Its optimum by enumeration; unbounded columns are only continuous. */
export function truthByEnumeration(program: Program): Truth {
  const box = program.columns
    .filter(({ integer }) => integer)
    .map(({ lower, upper }) => [(lower as Rational).ceil(), (upper as Rational).floor()] as const);
  return tryEveryInteger(program, box);
}

/**
 * The certificate of branch and bound with rounds of cuts at the root, with a point that is known or none; `null` where
 * nothing is feasible or proved.
 */
export async function provedWithCuts(
  program: Program,
  known: readonly Rational[] | null = null,
): Promise<{
  readonly certificate: Certificate;
  readonly point: readonly Rational[] | null;
  readonly complete: boolean;
} | null> {
  const incumbent = new Incumbent(program);
  if (known !== null) incumbent.offer(known);
  const options = { gap: Rational.zero, maxNodes: 400, shouldStop: () => false, propagate: true, cutRounds: 6 };
  const { steps, bound, complete } = await withRelaxation(
    program,
    () => false,
    (open) => branchAndBound(SearchSpace.of(program), incumbent, open, options),
  );
  const best = incumbent.value;
  if (bound === null && (best !== null || !complete)) return null;
  const sign = program.objective.sense === "maximize" ? -1n : 1n;
  const claim: Certificate["claim"] =
    bound === null ? { kind: "infeasible" } : { kind: "bound", bound: bound.multiply(Rational.of(sign)).toString() };
  const certificate: Certificate = {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim,
    steps,
  };
  return { certificate, point: incumbent.point, complete };
}

/** The steps of a propagation and of rounds of cuts, none left out; their last few name earlier ones. */
export function roundsOfCuts(program: Program, rounds: number): Promise<readonly Step[]> {
  return withRelaxation(
    program,
    () => false,
    (open) => {
      let space = SearchSpace.of(program);
      const steps: Step[] = [];
      for (let round = 0; round < rounds; round++) {
        const relaxation = open(space);
        const answer = relaxation.solve(space.box);
        if (answer.kind !== "solved") break;
        const added = space.withCuts(relaxation.separate?.(space.box, answer.point) ?? []);
        if (added.steps.length === 0) break;
        steps.push(...added.steps);
        space = added.space;
      }
      return steps;
    },
  );
}

/** A program that has a cut's form for its objective, with a certificate that the cut's side bounds it. */
export function cutAlone(
  program: Program,
  before: readonly Step[],
  cut: CutStep | KnapsackStep,
): { readonly program: Program; readonly certificate: Certificate } {
  const indexOf = new Map(program.columns.map(({ name }, j) => [name, j]));
  const terms = Object.entries(cut.form).map(
    ([name, value]) => [indexOf.get(name) as number, Rational.parse(value)] as const,
  );
  const alone = makeProgram({
    columns: program.columns,
    rows: program.rows,
    objective: { name: program.objective.name, sense: "minimize", form: linearForm(terms), constant: Rational.zero },
  });
  const steps: Step[] = [...before, cut, { bound: { [nameOf(cut)]: "1" } }];
  const claim = { kind: "bound", bound: cut.least } as const;
  return {
    program: alone,
    certificate: { format: "shardproof-certificate 1", program: programHash(alone), claim, steps },
  };
}

export function nameOf(cut: CutStep | KnapsackStep): string {
  return "cut" in cut ? cut.cut : cut.knapsack;
}

type CutMutation = (cut: CutStep, program: Program, draw: Draw) => CutStep | null;

const shifted = (text: string, by: Rational) => Rational.parse(text).add(by).toString();
const step = (draw: Draw) => ratio(draw.of([-1, 1]), draw.of([1, 1, 2, 7, 64]));

/** Ways to corrupt what a cut says. */
const STATEMENT_MUTATIONS: Readonly<
  Record<string, <Cut extends CutStep | KnapsackStep>(cut: Cut, program: Program, draw: Draw) => Cut>
> = {
  "a greater side": (cut, _, draw) => ({
    ...cut,
    least: shifted(cut.least, ratio(1, draw.of([1, 3, 64, 1000, 1_000_000]))),
  }),
  "another coefficient": (cut, _, draw) => ({
    ...cut,
    form: changed(cut.form, draw, (value) => value.add(step(draw))),
  }),
  "a coefficient of the other sign": (cut, _, draw) => ({
    ...cut,
    form: changed(cut.form, draw, (value) => value.negate()),
  }),
  "a coefficient left out": (cut, _, draw) => ({ ...cut, form: without(cut.form, draw) }),
  "a coefficient of another column": (cut, { columns }, draw) => ({
    ...cut,
    form: { ...cut.form, [draw.of(columns).name]: String(draw.int(-5, 5)) },
  }),
};

/** Ways to corrupt a cut by a split. */
export const CUT_MUTATIONS: Readonly<Record<string, CutMutation>> = {
  ...STATEMENT_MUTATIONS,
  "another split": (cut, _, draw) => ({
    ...cut,
    split: changed(cut.split, draw, (value) => value.add(ratio(draw.of([-2, -1, 1, 2])))),
  }),
  "a split by a fraction": (cut, _, draw) => ({
    ...cut,
    split: changed(cut.split, draw, (value) => value.divide(ratio(draw.of([2, 3])))),
  }),
  "a split of another column": (cut, { columns }, draw) => ({
    ...cut,
    split: { ...without(cut.split, draw), [draw.of(columns).name]: "1" },
  }),
  "a split elsewhere": (cut, _, draw) => ({ ...cut, at: shifted(cut.at, ratio(draw.of([-2, -1, 1, 2]))) }),
  "a split at a fraction": (cut) => ({ ...cut, at: shifted(cut.at, ratio(1, 2)) }),
  "another price of a half": (cut, _, draw) => {
    const half = draw.of(["below", "above"] as const);
    const side = Rational.parse(cut[half].side).multiply(ratio(draw.of([-1, 0, 1, 3]), 2));
    return { ...cut, [half]: { ...cut[half], side: side.toString() } };
  },
  "another multiplier": (cut, _, draw) => {
    const half = draw.of(["below", "above"] as const);
    const factor = ratio(draw.of([-1, 0, 1, 3, 4]), 2);
    return { ...cut, [half]: { ...cut[half], rows: changed(cut[half].rows, draw, (y) => y.multiply(factor)) } };
  },
  "a multiplier of another row": (cut, { rows }, draw) => {
    const half = draw.of(["below", "above"] as const);
    const more = { [draw.of(rows).name]: String(draw.int(-3, 3)) };
    return { ...cut, [half]: { ...cut[half], rows: { ...cut[half].rows, ...more } } };
  },
  "the halves exchanged": (cut) => ({ ...cut, below: cut.above, above: cut.below }),
  "a half without a proof": (cut, _, draw) => ({
    ...cut,
    [draw.of(["below", "above"] as const)]: { side: "0", rows: {} },
  }),
};

/** Ways to corrupt a cut of a knapsack. */
export const KNAPSACK_MUTATIONS: Readonly<
  Record<string, (cut: KnapsackStep, program: Program, draw: Draw) => KnapsackStep>
> = {
  ...STATEMENT_MUTATIONS,
  "another multiplier": (cut, _, draw) => {
    const factor = ratio(draw.of([-1, 0, 1, 3, 4]), 2);
    return { ...cut, rows: changed(cut.rows, draw, (y) => y.multiply(factor)) };
  },
  "a multiplier of another row": (cut, { rows }, draw) => ({
    ...cut,
    rows: { ...cut.rows, [draw.of(rows).name]: String(draw.int(-3, 3)) },
  }),
  "a sum of no rows": (cut) => ({ ...cut, rows: {} }),
};

function changed(named: NamedMultipliers, draw: Draw, change: (value: Rational) => Rational): NamedMultipliers {
  const names = Object.keys(named);
  if (names.length === 0) return named;
  const name = draw.of(names);
  return { ...named, [name]: change(Rational.parse(named[name] as string)).toString() };
}

function without(named: NamedMultipliers, draw: Draw): NamedMultipliers {
  const names = Object.keys(named);
  const gone = names.length === 0 ? "" : draw.of(names);
  return Object.fromEntries(Object.entries(named).filter(([name]) => name !== gone));
}
