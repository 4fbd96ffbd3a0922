import type { Program } from "../../program/program.js";
import type { ExchangeOrder } from "./exchange.js";
import type { Group } from "./lattice.js";

const MAX_MEMBERS = 5;

/**
 * Finds which neighbouring groups of a program may exchange units (see exchange.ts), in one pass over its coefficients;
 * columns are the program's. `null` when no two groups may.
 */
export function exchangeOrder(program: Program, groups: readonly Group[]): ExchangeOrder | null {
  const size = groups[0]?.members.length ?? 0;
  if (groups.length < 2 || size < 2 || size > MAX_MEMBERS) return null;
  // Any other group takes no part and breaks the chain: its members are columns like those in no group.
  const plain = groups.map((group) => group.members.length === size && hasPlainBounds(program, group));
  const place = new Int32Array(program.columns.length).fill(-1);
  groups.forEach(({ members }, i) => {
    if (plain[i] !== true) return;
    members.forEach((column, t) => {
      place[column] = i * size + t;
    });
  });
  const allowed = new Int32Array(groups.length).fill(everyPair(size));
  const forms = program.rows.flatMap(({ form, lower, upper }) => {
    if (lower === null && upper === null) return [];
    return [{ form, rises: upper !== null, falls: lower !== null }];
  });
  const maximise = program.objective.sense === "maximize";
  forms.push({ form: program.objective.form, rises: !maximise, falls: maximise });
  for (const { form, rises, falls } of forms) {
    if (!isGroupRow(form.columns, form.coefficients, place, size)) narrow(allowed, place, size, form, rises, falls);
  }
  const entries = groups.flatMap(({ members }, i) => {
    if (plain[i] !== true) return [];
    return [
      {
        positions: members,
        used: 0,
        link: plain[i + 1] === true ? (allowed[i] as number) : 0,
        forward: 0,
        backward: 0,
      },
    ];
  });
  return entries.some(({ link }) => link !== 0) ? { size, entries, contradiction: false } : null;
}

function everyPair(size: number): number {
  let pairs = 0;
  for (let early = 0; early < size; early++) {
    for (let late = early + 1; late < size; late++) pairs |= 1 << (early * size + late);
  }
  return pairs;
}

/** Members between 0 and at least the group's total: any unit can move anywhere. */
function hasPlainBounds(program: Program, { members, total }: Group): boolean {
  return members.every((j) => {
    const column = program.columns[j];
    const lower = column?.lower ?? null;
    const upper = column?.upper ?? null;
    return lower?.sign() === 0 && upper !== null && upper.numerator >= total * upper.denominator;
  });
}

/** A row over one whole group with equal coefficients: it does not change when the group's units move. */
function isGroupRow(
  columns: readonly number[],
  coefficients: readonly bigint[],
  place: Int32Array,
  size: number,
): boolean {
  if (columns.length !== size) return false;
  const group = Math.floor((place[columns[0] as number] as number) / size);
  return (
    columns.every((j) => (place[j] as number) >= 0 && Math.floor((place[j] as number) / size) === group) &&
    coefficients.every((coefficient) => coefficient === coefficients[0])
  );
}

/**
 * Takes away the exchanges that would raise a form that must not rise, or lower one that must not fall. Exchanging units
 * of groups i and i + 1 between positions e < l changes it by (a[i,e] − a[i,l]) − (a[i+1,e] − a[i+1,l]).
 */
function narrow(
  allowed: Int32Array,
  place: Int32Array,
  size: number,
  form: { readonly columns: readonly number[]; readonly coefficients: readonly bigint[] },
  rises: boolean,
  falls: boolean,
): void {
  const inRow = new Map<number, bigint[]>();
  form.columns.forEach((column, k) => {
    const at = place[column] as number;
    if (at === -1) return;
    const i = Math.floor(at / size);
    let coefficients = inRow.get(i);
    if (coefficients === undefined) {
      coefficients = new Array<bigint>(size).fill(0n);
      inRow.set(i, coefficients);
    }
    coefficients[at % size] = form.coefficients[k] as bigint;
  });
  const none = new Array<bigint>(size).fill(0n);
  const compare = (i: number): void => {
    if (i < 0 || i >= allowed.length || allowed[i] === 0) return;
    const first = inRow.get(i) ?? none;
    const second = inRow.get(i + 1) ?? none;
    for (let early = 0; early < size; early++) {
      for (let late = early + 1; late < size; late++) {
        const change =
          (first[early] as bigint) - (first[late] as bigint) - (second[early] as bigint) + (second[late] as bigint);
        if ((rises && change > 0n) || (falls && change < 0n)) {
          allowed[i] = (allowed[i] as number) & ~(1 << (early * size + late));
        }
      }
    }
  };
  for (const i of inRow.keys()) {
    if (!inRow.has(i - 1)) compare(i - 1);
    compare(i);
  }
}
