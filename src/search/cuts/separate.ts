import type { ProvedCut, SearchSpace } from "../branch-and-bound/space.js";
import { type CliqueProposal, cliques, deriveClique } from "./cliques.js";
import { derive } from "./derive.js";
import { type CoverProposal, deriveCover, liftedCovers } from "./lifted-covers.js";
import { type DoubleProgram, inDoubles } from "./linear-program.js";
import { aggregate, type Proposal, type RowWeights, roundAggregate } from "./mixed-integer-rounding.js";
import { aggregatedRoundings } from "./row-aggregation.js";

type AnyProposal = Proposal | CoverProposal | CliqueProposal;

/** Sums of rows in which one fractional column is basic and no other: rows of the simplex tableau. */
export type TableauRows = (columns: readonly number[]) => readonly RowWeights[];

const MIN_EFFICACY = 1e-3;
/** Cosine of the angle between two cuts above which the shallower one is left out; where few are left, it must be greater. */
const MAX_PARALLEL = 0.6;
const NEARLY_THE_SAME = 0.95;
const FEW = 0.4;
const MAX_TABLEAU_ROWS = 150;
/** Proposals that are looked at for each cut wanted, at most. */
const MAX_TRIED = 4;
/** A dense cut makes every node dearer. */
const MAX_DENSITY = 0.5;
const MIN_LENGTH = 300;

/**
 * Cuts that a point of the relaxation breaks, derived exactly, the deepest first: Gomory's mixed-integer cuts of tableau rows,
 * roundings of sums of few rows, lifted covers and cliques, those left out that are nearly parallel to a deeper one. Deriving a cut of
 * many rows takes long: it ends with those that there are by the time that `isOver` says so.
 */
export function separate(
  space: SearchSpace,
  point: Float64Array,
  tableauRows: TableauRows,
  most: number,
  isOver: () => boolean = () => false,
): readonly ProvedCut[] {
  const program = inDoubles(space, point);
  const proposals: AnyProposal[] = [];
  const fractional = fractionalColumns(program.integer, point);
  if (fractional.length === 0) return [];
  for (const weights of tableauRows(fractional.slice(0, MAX_TABLEAU_ROWS))) {
    const sum = aggregate(program, weights);
    const proposal = sum && roundAggregate(program, sum, 1, MIN_EFFICACY);
    if (proposal !== null) proposals.push(proposal);
  }
  for (const proposal of aggregatedRoundings(program, MIN_EFFICACY, isOver)) proposals.push(proposal);
  for (const proposal of liftedCovers(program, MIN_EFFICACY)) proposals.push(proposal);
  for (const proposal of cliques(program, MIN_EFFICACY)) proposals.push(proposal);
  proposals.sort((a, b) => b.efficacy - a.efficacy);
  const longest = Math.max(MIN_LENGTH, MAX_DENSITY * point.length);
  const chosen: ProvedCut[] = [];
  const directions: Direction[] = [];
  const parallel: AnyProposal[] = [];
  const isNew = ({ direction }: { readonly direction: Direction }, most: number) =>
    directions.every((other) => cosine(direction, other) <= most);
  let taken = 0;
  const take = (proposal: AnyProposal) => {
    const cuts = derived(space, program, proposal, space.nextCut + chosen.length);
    // What rests on a column that is an integer at some optimum only must name its rows, which VIPR's proofs need.
    const isImplied = (j: number) => space.view.integer[j] === true && program.integer[j] !== true;
    if (cuts.length === 0 || cuts.some(({ form }) => form.columns.some(isImplied))) return;
    chosen.push(...cuts);
    taken++;
    directions.push(proposal.direction);
  };
  for (const proposal of proposals.slice(0, MAX_TRIED * most)) {
    if (taken >= most || isOver()) break;
    if (proposal.direction.size > longest) continue;
    if (isNew(proposal, MAX_PARALLEL)) take(proposal);
    else parallel.push(proposal);
  }
  for (const proposal of parallel) {
    if (taken >= most * FEW || isOver()) break;
    if (isNew(proposal, NEARLY_THE_SAME)) take(proposal);
  }
  return chosen;
}

/** The cut that a proposal is, behind lemmas for it; none where exact arithmetic leaves nothing of it. */
function derived(
  { view, box }: SearchSpace,
  program: DoubleProgram,
  proposal: AnyProposal,
  next: number,
): readonly ProvedCut[] {
  if ("clique" in proposal) return deriveClique(view, box, proposal, next) ?? [];
  if ("rows" in proposal) return [deriveCover(view, box, proposal)].filter((cut) => cut !== null);
  const cut = derive(view, box, program, proposal);
  return cut === null || cut.efficacy < MIN_EFFICACY ? [] : [cut];
}

/** Integer columns off the integers, most fractional first. */
function fractionalColumns(integer: readonly boolean[], point: Float64Array): number[] {
  const found: { readonly j: number; readonly distance: number }[] = [];
  point.forEach((value, j) => {
    const distance = Math.abs(value - Math.round(value));
    if (integer[j] === true && distance > 1e-4) found.push({ j, distance });
  });
  return found.sort((a, b) => b.distance - a.distance || a.j - b.j).map(({ j }) => j);
}

type Direction = Proposal["direction"];

function cosine(a: Direction, b: Direction): number {
  if (b.size < a.size) return cosine(b, a);
  let sum = 0;
  for (const [j, value] of a) sum += value * (b.get(j) ?? 0);
  return sum;
}
