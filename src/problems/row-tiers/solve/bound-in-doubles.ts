import { doubleNear } from "../../../exact/rational.js";
import { columnOf, firstClasses, type Ladder } from "../../../program/ladder/ladder.js";
import type { LinearForm } from "../../../program/program.js";
import type { Box, View } from "../../../proof/kernel/view.js";
import type { OpenRelaxation, RelaxationAnswer } from "../../../search/branch-and-bound/relaxation.js";

/** What multipliers in doubles leave of a bound, relatively: seconds are far below one. */
const ROUNDING = 1e-9;

const rounding = (cutoff: number): number => ROUNDING * Math.abs(cutoff);

/**
 * A relaxation that branches on rows that are read before those that never are. A row that is never read costs nothing
 * wherever it is, so that those of all tables fill up what the others leave of both capacities, a fraction of a row of
 * whichever table included: branching on them only moves the fraction to the next table. Once the others are decided,
 * the capacities are rounded to what such rows can use, and nothing is left to branch on.
 */
export function readFirst(open: OpenRelaxation, ladder: Ladder): OpenRelaxation {
  const chains = ladder.chains.map(({ rates }) => rates[0] === 0n);
  const firsts = firstClasses(ladder);
  return (space) => {
    const isRead = Array.from(space.view.columns, (column) => {
      const place = columnOf(ladder, space.program.columns[column]?.name as string);
      return place !== null && chains[firsts.findLastIndex((start) => start <= place.unitClass)] !== true;
    });
    const inner = open(space);
    const hinted = <Answer extends RelaxationAnswer | null>(box: Box, answer: Answer) => {
      const branch = answer?.kind === "solved" ? branchOn(space.view, box, answer, isRead) : null;
      return branch === null ? answer : { ...answer, branch };
    };
    const { refine } = inner;
    return {
      ...inner,
      solve: (box) => hinted(box, inner.solve(box)),
      rounding,
      ...(refine === undefined ? {} : { refine: (box, answer) => hinted(box, refine(box, answer)) }),
    };
  };
}

type Solved = Extract<RelaxationAnswer, { kind: "solved" }>;

/** Where to branch; `null` where it makes no difference. */
function branchOn(view: View, box: Box, { point, multipliers }: Solved, isRead: readonly boolean[]) {
  let column = -1;
  let furthest = 1e-9;
  let isWhole = true;
  point.forEach((value, j) => {
    const distance = Math.abs(value - Math.round(value));
    if (distance <= 1e-9 || view.integer[j] !== true) return;
    isWhole = false;
    if (isRead[j] !== true || distance <= furthest) return;
    column = j;
    furthest = distance;
  });
  if (isWhole) return null;
  if (column === -1) column = nearest(view, box, point, reducedCosts(view, multipliers), isRead);
  return column === -1 ? null : { column, at: Math.floor((point[column] as number) + 1e-9) };
}

/** The column to which a unit of its group would move at the least cost. */
function nearest(view: View, box: Box, point: Float64Array, reduced: Float64Array, isRead: readonly boolean[]): number {
  let column = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const { members } of view.groups) {
    if (isRead[members[0] as number] !== true) continue;
    for (const from of members) {
      if ((point[from] as number) <= (box.lower[from]?.toNumber() ?? 0)) continue;
      for (const to of members) {
        if (to === from || (point[to] as number) >= (box.upper[to]?.toNumber() ?? 0)) continue;
        const change = (reduced[to] as number) - (reduced[from] as number);
        if (change >= least) continue;
        least = change;
        column = to;
      }
    }
  }
  return column;
}

function reducedCosts(view: View, multipliers: Solved["multipliers"]): Float64Array {
  const reduced = new Float64Array(view.columns.length);
  const add = ({ columns, coefficients, denominator }: LinearForm, factor: number): void => {
    columns.forEach((j, k) => {
      reduced[j] = (reduced[j] as number) + factor * doubleNear(coefficients[k] as bigint, denominator);
    });
  };
  add(view.objective, 1);
  for (const [row, multiplier] of multipliers) {
    const form = view.rows.get(row)?.form;
    if (form !== undefined) add(form, -multiplier.toNumber());
  }
  return reduced;
}
