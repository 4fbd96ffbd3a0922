import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import { type Column, integerForm, type LinearForm, makeProgram, type Program, type Row } from "../program.js";
import { columnName, firstRungs, type Ladder, type LadderForm, type LadderTerm, type Rail } from "./ladder.js";
import { type Stretch, TierSums } from "./stretch.js";

/** Which part of a ladder to write out. */
export interface LadderPart {
  /** Stretches whose units are all decided; everything else stays open. In the order of rails and rungs. */
  readonly decided: readonly Stretch[];
  /** For each rail and tier, whether open units may take it. */
  readonly allowed: readonly (readonly boolean[])[];
  /** The auxiliary columns, with the bounds that hold in the part. */
  readonly auxiliaries: readonly Column[];
}

/**
 * A part of a ladder as a program of its own: columns of the open rungs and allowed tiers, then the auxiliaries; a row
 * for each open rung, then the ladder's rows. Names are those of the whole; what is decided stands in the sides of the
 * rows and in the objective's constant, so that a value or bound of the part is one of the whole.
 */
export interface ExplicitPart {
  readonly program: Program;
  /** The open rungs, counted through all rails, rising. */
  readonly rungs: readonly number[];
  /** The tiers of the columns of each open rung. */
  readonly tiers: readonly (readonly number[])[];
}

/** The whole ladder column by column. */
export function explicitProgram(ladder: Ladder): Program {
  const allowed = ladder.rails.map(() => ladder.tiers.map(() => true));
  return explicitPart(ladder, { decided: [], allowed, auxiliaries: ladder.auxiliaries }).program;
}

export function explicitPart(ladder: Ladder, { decided, allowed, auxiliaries }: LadderPart): ExplicitPart {
  const tiersOf = allowed.map((ofRail) => ofRail.flatMap((may, tier) => (may ? [tier] : [])));
  const open = openRungs(ladder, decided);
  const columns: Column[] = [];
  const rows: Row[] = [];
  for (const { rail, rung, number } of open) {
    const upper = Rational.of(BigInt((ladder.rails[rail] as Rail).units[rung] as number));
    const members: number[] = [];
    for (const tier of tiersOf[rail] as readonly number[]) {
      members.push(columns.length);
      columns.push({ name: columnName(ladder, number, tier), lower: Rational.zero, upper, integer: true });
    }
    const form = { columns: members, coefficients: members.map(() => 1n), denominator: 1n };
    rows.push({ name: `class_${number}`, form, lower: upper, upper });
  }
  for (const column of auxiliaries) columns.push(column);
  const fixed = new TierSums(ladder);
  for (const stretch of decided) fixed.addStretch(stretch);
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
    rungs: open.map(({ number }) => number),
    tiers: open.map(({ rail }) => tiersOf[rail] as readonly number[]),
  };
}

interface OpenRung {
  readonly rail: number;
  readonly rung: number;
  /** Counted through all rails. */
  readonly number: number;
}

function openRungs(ladder: Ladder, decided: readonly Stretch[]): readonly OpenRung[] {
  const first = firstRungs(ladder);
  const open: OpenRung[] = [];
  let next = 0;
  ladder.rails.forEach(({ units }, rail) => {
    for (let rung = 0; rung < units.length; rung++) {
      const stretch = decided[next];
      if (stretch !== undefined && stretch.rail === rail && stretch.from <= rung) {
        rung = stretch.to - 1;
        next++;
      } else open.push({ rail, rung, number: (first[rail] as number) + rung });
    }
  });
  return open;
}

/** A ladder's form over the columns of some rungs and their rails' tiers, and the auxiliaries after them. */
function formOver(
  ladder: Ladder,
  open: readonly OpenRung[],
  tiersOf: readonly (readonly number[])[],
  { terms, auxiliaries }: LadderForm,
): LinearForm {
  const { heatDenominator } = ladder;
  let common = auxiliaries.reduce((all, { denominator }) => leastCommonMultiple(all, denominator), 1n);
  for (const { fixed, perHeat } of terms.flat()) {
    common = leastCommonMultiple(common, fixed.denominator);
    common = leastCommonMultiple(common, perHeat.denominator);
  }
  // Over common · heatDenominator everything is an integer.
  const factors = terms.map((ofRail, rail) =>
    (tiersOf[rail] as readonly number[]).map((tier) => {
      const { fixed, perHeat } = ofRail[tier] as LadderTerm;
      return {
        fixed: fixed.numerator * (common / fixed.denominator) * heatDenominator,
        perHeat: perHeat.numerator * (common / perHeat.denominator),
      };
    }),
  );
  const columns: number[] = [];
  const coefficients: bigint[] = [];
  for (const { rail, rung } of open) {
    const heat = (ladder.rails[rail] as Rail).heats[rung] as bigint;
    for (const { fixed, perHeat } of factors[rail] as (typeof factors)[number]) {
      columns.push(columns.length);
      coefficients.push(fixed + perHeat * heat);
    }
  }
  for (const { numerator, denominator } of auxiliaries) {
    columns.push(columns.length);
    coefficients.push(numerator * (common / denominator) * heatDenominator);
  }
  return integerForm(columns, coefficients, common * heatDenominator);
}
