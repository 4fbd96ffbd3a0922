import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import { type Column, integerForm, type LinearForm, makeProgram, type Program, type Row } from "../program.js";
import { type Interval, TierSums } from "./interval.js";
import { type Chain, columnName, firstClasses, type Ladder, type LadderForm, type LadderTerm } from "./ladder.js";

/** Which part of a ladder to write out. */
export interface LadderPart {
  /** Intervals whose units are all decided; everything else stays open. In the order of chains and classes. */
  readonly decided: readonly Interval[];
  /** For each chain and tier, whether open units may take it. */
  readonly allowed: readonly (readonly boolean[])[];
  /** The auxiliary columns, with the bounds that hold in the part. */
  readonly auxiliaries: readonly Column[];
}

/**
 * A part of a ladder as a program of its own: columns of the open classes and allowed tiers, then the auxiliaries; a
 * row for each open class, then the ladder's rows. Names are those of the whole; what is decided stands in the sides of
 * the rows and in the objective's constant, so that a value or bound of the part is one of the whole.
 */
export interface ExplicitPart {
  readonly program: Program;
  /** The open classes, counted through all chains, rising. */
  readonly classes: readonly number[];
  /** The tiers of the columns of each open class. */
  readonly tiers: readonly (readonly number[])[];
}

/** The whole ladder column by column. */
export function explicitProgram(ladder: Ladder): Program {
  const allowed = ladder.chains.map(() => ladder.tiers.map(() => true));
  return explicitPart(ladder, { decided: [], allowed, auxiliaries: ladder.auxiliaries }).program;
}

export function explicitPart(ladder: Ladder, { decided, allowed, auxiliaries }: LadderPart): ExplicitPart {
  const tiersOf = allowed.map((ofChain) => ofChain.flatMap((may, tier) => (may ? [tier] : [])));
  const open = openClasses(ladder, decided);
  const columns: Column[] = [];
  const rows: Row[] = [];
  for (const { chain, unitClass, number } of open) {
    const upper = Rational.of(BigInt((ladder.chains[chain] as Chain).units[unitClass] as number));
    const members: number[] = [];
    for (const tier of tiersOf[chain] as readonly number[]) {
      members.push(columns.length);
      columns.push({ name: columnName(ladder, number, tier), lower: Rational.zero, upper, integer: true });
    }
    const form = { columns: members, coefficients: members.map(() => 1n), denominator: 1n };
    rows.push({ name: `class_${number}`, form, lower: upper, upper });
  }
  for (const column of auxiliaries) columns.push(column);
  const fixed = new TierSums(ladder, decided);
  for (const { name, form, upper } of ladder.rows) {
    rows.push({
      name,
      form: formOver(ladder, open, tiersOf, form),
      lower: null,
      upper: upper.subtract(fixed.valueOf(form)),
    });
  }
  const { name, form } = ladder.objective;
  const objective = { name, form: formOver(ladder, open, tiersOf, form), constant: fixed.valueOf(form) };
  return {
    program: makeProgram({ name: ladder.name, columns, rows, objective }),
    classes: open.map(({ number }) => number),
    tiers: open.map(({ chain }) => tiersOf[chain] as readonly number[]),
  };
}

interface OpenUnitClass {
  readonly chain: number;
  readonly unitClass: number;
  /** Counted through all chains. */
  readonly number: number;
}

function openClasses(ladder: Ladder, decided: readonly Interval[]): readonly OpenUnitClass[] {
  const first = firstClasses(ladder);
  const open: OpenUnitClass[] = [];
  let next = 0;
  ladder.chains.forEach(({ units }, chain) => {
    for (let unitClass = 0; unitClass < units.length; unitClass++) {
      const interval = decided[next];
      if (interval !== undefined && interval.chain === chain && interval.from <= unitClass) {
        unitClass = interval.to - 1;
        next++;
      } else open.push({ chain, unitClass, number: (first[chain] as number) + unitClass });
    }
  });
  return open;
}

/** A ladder's form over the columns of some classes and their chains' tiers, and the auxiliaries after them. */
function formOver(
  ladder: Ladder,
  open: readonly OpenUnitClass[],
  tiersOf: readonly (readonly number[])[],
  { terms, auxiliaries }: LadderForm,
): LinearForm {
  const { rateDenominator } = ladder;
  let common = auxiliaries.reduce((all, { denominator }) => leastCommonMultiple(all, denominator), 1n);
  for (const { fixed, perRate } of terms.flat()) {
    common = leastCommonMultiple(common, fixed.denominator);
    common = leastCommonMultiple(common, perRate.denominator);
  }
  // Over common · heatDenominator everything is an integer.
  const factors = terms.map((ofChain, chain) =>
    (tiersOf[chain] as readonly number[]).map((tier) => {
      const { fixed, perRate } = ofChain[tier] as LadderTerm;
      return {
        fixed: fixed.numerator * (common / fixed.denominator) * rateDenominator,
        perRate: perRate.numerator * (common / perRate.denominator),
      };
    }),
  );
  const columns: number[] = [];
  const coefficients: bigint[] = [];
  for (const { chain, unitClass } of open) {
    const rate = (ladder.chains[chain] as Chain).rates[unitClass] as bigint;
    for (const { fixed, perRate } of factors[chain] as (typeof factors)[number]) {
      columns.push(columns.length);
      coefficients.push(fixed + perRate * rate);
    }
  }
  for (const { numerator, denominator } of auxiliaries) {
    columns.push(columns.length);
    coefficients.push(numerator * (common / denominator) * rateDenominator);
  }
  return integerForm(columns, coefficients, common * rateDenominator);
}
