import { MOST_DIGITS, Rational } from "../exact/rational.js";
import type { SemidefiniteStep } from "./kernel/grouping/semidefinite.js";
import { readSemidefinite } from "./rules/grouping/semidefinite.js";

/**
 * A certificate: why no feasible point of a program is better than a bound, or why there is none at all. Plain JSON;
 * its grammar and meaning are in README.md beside this file.
 */
export interface Certificate {
  readonly format: "shardproof-certificate 1";
  /** `programHash` of the program it speaks of. */
  readonly program: string;
  readonly claim: Claim;
  /** The steps speak of the program in another basis of the integer lattice (see reformulate.ts): integers as text. */
  readonly lattice?: { readonly matrix: IntegerMatrix; readonly inverse: IntegerMatrix };
  /** A branching tree in pre-order: each step acts on the open node last opened. */
  readonly steps: readonly Step[];
}

export type IntegerMatrix = readonly (readonly string[])[];

/** `bound`: in the program's own sense, no feasible point has a better objective. Numbers are integers or fractions. */
export type Claim = { readonly kind: "bound"; readonly bound: string } | { readonly kind: "infeasible" };

/** Multipliers by row name; rows left out have multiplier zero. */
export type NamedMultipliers = Readonly<Record<string, string>>;

export type Step =
  /** Splits the node at an integer column: first the part with column ≤ at, then the part with column ≥ at + 1. */
  | { readonly branch: string; readonly at: string }
  /**
   * Tightens the node's box by reduced costs, with the claimed bound as the cutoff. A `cutoff` of its own, above the
   * claimed bound, tells the walk of a ladder to decide no more than it decides: the steps that follow were made there.
   */
  | { readonly fix: NamedMultipliers; readonly cutoff?: string }
  /** Tightens the node's box by bound propagation (see propagate.ts). */
  | { readonly propagate: Readonly<Record<string, never>> }
  /** Replaces rows by Chvátal–Gomory roundings of their upper sides, each times a positive factor (see round.ts). */
  | { readonly round: NamedMultipliers }
  /** Leaves out what exchanging units between groups turns into something at least as good (see exchange.ts). */
  | { readonly exchange: Readonly<Record<string, never>> }
  /** Closes the node: the multipliers prove that nothing in it is better than the claimed bound. */
  | { readonly bound: NamedMultipliers }
  /** Closes the node: the multipliers prove that nothing in it is feasible. */
  | { readonly infeasible: NamedMultipliers }
  /**
   * Closes the node: going through its points one by one, with sets of multipliers to leave branches early, finds none
   * that is better than the claim (see enumerate.ts). All its open columns are integers in bounds.
   */
  | { readonly enumerate: readonly NamedMultipliers[] }
  /**
   * Closes the node: going through all sets of tables finds none for each device that make up all tables and keep the
   * objective below the claim (see partition/partition.ts). Named are the rows of the devices' loads.
   */
  | { readonly partition: readonly string[] }
  /** Closes the node by the minima of independent blocks (see decompose.ts). */
  | DecomposeStep
  | GroupingStep;

/** A step of a proof about a grouping (see grouping/walk.ts); items by their names. */
export type GroupingStep =
  /** Splits the node: first the numberings with both items in one group, then those with them in different ones. */
  | { readonly pair: readonly [string, string] }
  | GroupsStep
  /** Closes the node, of two groups: going through all halves finds none better than the claim (see grouping/halves.ts). */
  | { readonly halves: Readonly<Record<string, never>> }
  /**
   * Closes the node by the dual of a semidefinite relaxation (see grouping/semidefinite.ts), or leaves it with the pairs
   * apart that no better numbering has in one group.
   */
  | SemidefiniteStep;

/** Whether a step of a proof about a program or a ladder closes its node, and leaves the next open one. */
export function closesNode(step: Step): boolean {
  return "bound" in step || "infeasible" in step || "enumerate" in step || "decompose" in step || "partition" in step;
}

/** Prices of items and of sets of items. */
export interface GroupsPrices {
  /** By item; items left out have price zero. */
  readonly prices: NamedMultipliers;
  /** None where left out. */
  readonly cuts?: readonly GroupsCut[];
}

/** Closes the node by the reduced costs of all its groups (see grouping/bound.ts). */
export interface GroupsStep {
  readonly groups: GroupsPrices & {
    /** What is done with the groups that are left below the claim; where left out, the checker goes through their partitions. */
    readonly listed?: ListedGroups;
  };
}

/** What is done with listed groups (see grouping/listed-walk.ts). */
export interface ListedGroups {
  /** In turn: of the groups left, those stay that may be part of something below the claim under these prices too. */
  readonly narrow: readonly GroupsPrices[];
  /**
   * Splits what is then left: partitions with both items in one group, and those with them in different ones. Where left
   * out, the checker goes through the partitions of the groups left (see grouping/better-partition.ts).
   */
  readonly split?: {
    readonly pair: readonly [string, string];
    readonly together: ListedGroups;
    readonly apart: ListedGroups;
  };
}

/** A set of items and the price ≥ 0 that a group pays for every `divisor` of them that it has (see grouping/group-prices.ts). */
export interface GroupsCut {
  /** More than the divisor. */
  readonly items: readonly string[];
  /** 2 where left out. */
  readonly divisor?: number;
  readonly price: string;
}

export interface DecomposeStep {
  /** Multipliers of any rows; only rows of blocks are kept as well. */
  readonly decompose: NamedMultipliers;
  /** `bound`: the sum reaches the claim; `infeasible`: with a zero objective, the sum is positive. */
  readonly purpose: "bound" | "infeasible";
  /** Columns that belong to no block, though they are in rows of blocks. */
  readonly links: readonly string[];
  readonly blocks: readonly BlockClaim[];
  /** The proofs that the blocks name, each the steps of a certificate about a block's own program. */
  readonly proofs: readonly (readonly Step[])[];
}

/** What is said of one block. */
export interface BlockClaim {
  /** The rows that are kept in it. */
  readonly rows: readonly string[];
  /** Its minimum is at least this. */
  readonly least: string;
  /**
   * Index of the proof. Blocks that are the same but for names and narrower bounds may share one, which speaks in the names
   * of the first.
   */
  readonly proof: number;
}

/** A certificate is malformed or does not prove its claim. `step` counts from 1; 0 is the part before the steps. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
  readonly step: number;

  constructor(step: number, message: string) {
    super(step === 0 ? message : `step ${step}: ${message}`);
    this.step = step;
  }
}

/** Certificates that were read: they are frozen, and not read again. */
const known = new WeakSet<Certificate>();

/** Reads a certificate from parsed JSON. Throws {@link CertificateError} on anything that the grammar does not allow. */
export function readCertificate(json: unknown): Certificate {
  if (known.has(json as Certificate)) return json as Certificate;
  const { format, program, claim, steps, lattice } = fields(json, ["format", "program", "claim", "steps"], 0, [
    "lattice",
  ]);
  if (format !== "shardproof-certificate 1") {
    throw new CertificateError(0, `format "shardproof-certificate 1" was expected, ${JSON.stringify(format)} is there`);
  }
  if (typeof program !== "string") throw new CertificateError(0, "the program's hash is missing");
  if (!Array.isArray(steps)) throw new CertificateError(0, "steps must be a list");
  const certificate: Certificate = {
    format,
    program,
    claim: readClaim(claim),
    ...(lattice === undefined ? {} : { lattice: readLattice(lattice) }),
    steps: steps.map((step, index) => readStep(step, index + 1)),
  };
  freezeAll(certificate);
  known.add(certificate);
  return certificate;
}

/** Freezes a value and all below it: what was read stays what it was. */
function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeAll(part);
}

/** A number of a certificate. Throws {@link CertificateError} unless it is an integer or a fraction in lowest terms. */
export function readNumber(text: unknown, step: number): Rational {
  if (typeof text === "string" && text.length > 2 * MOST_DIGITS) {
    throw new CertificateError(step, `a number of at most ${MOST_DIGITS} digits was expected, a longer one is there`);
  }
  if (typeof text === "string" && /^-?\d+(\/\d+)?$/.test(text) && !/\/0+$/.test(text)) {
    const value = Rational.parse(text);
    // One spelling per number: a certificate that was edited cannot hide behind an equal fraction.
    if (value.toString() === text) return value;
  }
  throw new CertificateError(
    step,
    `an integer or a fraction in lowest terms was expected, ${JSON.stringify(text)} is there`,
  );
}

function readLattice(json: unknown): { matrix: IntegerMatrix; inverse: IntegerMatrix } {
  const { matrix, inverse } = fields(json, ["matrix", "inverse"], 0);
  const read = (value: unknown): IntegerMatrix => {
    if (!Array.isArray(value) || !value.every(Array.isArray)) {
      throw new CertificateError(0, "a lattice basis must be two lists of rows of integers");
    }
    return value.map((row: unknown[]) => row.map((entry) => readInteger(entry).toString()));
  };
  return { matrix: read(matrix), inverse: read(inverse) };
}

/** An integer of a certificate's lattice basis. Throws {@link CertificateError}. */
export function readInteger(text: unknown): Rational {
  const value = readNumber(text, 0);
  if (!value.isInteger()) throw new CertificateError(0, `an integer was expected, ${text} is there`);
  return value;
}

function readClaim(json: unknown): Claim {
  const kind = typeof json === "object" && json !== null && "kind" in json ? json.kind : undefined;
  if (kind === "infeasible") {
    fields(json, ["kind"], 0);
    return { kind };
  }
  if (kind !== "bound") throw new CertificateError(0, `a claim "bound" or "infeasible" was expected`);
  const { bound } = fields(json, ["kind", "bound"], 0);
  return { kind, bound: readNumber(bound, 0).toString() };
}

function readStep(json: unknown, step: number): Step {
  const kinds = typeof json === "object" && json !== null ? Object.keys(json) : [];
  if (kinds.includes("branch")) {
    const { branch, at } = fields(json, ["branch", "at"], step);
    if (typeof branch !== "string") throw new CertificateError(step, "the name of a column was expected");
    return { branch, at: readNumber(at, step).toString() };
  }
  if (kinds.includes("enumerate")) {
    const sets = readList(fields(json, ["enumerate"], step).enumerate, "sets of multipliers", step);
    for (const set of sets) requireMultipliers(set, step);
    return { enumerate: sets as readonly NamedMultipliers[] };
  }
  if (kinds.includes("partition")) {
    return { partition: readNames(fields(json, ["partition"], step).partition, "rows", step) };
  }
  if (kinds.includes("decompose")) return readDecompose(json, step);
  if (kinds.includes("pair")) {
    return { pair: readPair(fields(json, ["pair"], step).pair, step) };
  }
  if (kinds.includes("groups")) {
    const { listed, ...own } = fields(fields(json, ["groups"], step).groups, ["prices"], step, ["cuts", "listed"]);
    const prices = readGroupsPrices(own, step);
    return { groups: listed === undefined ? prices : { ...prices, listed: readListed(listed, step) } };
  }
  if (kinds.includes("halves")) {
    fields(fields(json, ["halves"], step).halves, [], step);
    return { halves: {} };
  }
  if (kinds.includes("semidefinite")) {
    const fail = (message: string): never => {
      throw new CertificateError(step, message);
    };
    return { semidefinite: readSemidefinite(fields(json, ["semidefinite"], step).semidefinite, fail) };
  }
  for (const kind of ["fix", "propagate", "round", "exchange", "bound", "infeasible"] as const) {
    if (!kinds.includes(kind)) continue;
    const { [kind]: multipliers, cutoff } = fields(json, [kind], step, kind === "fix" ? ["cutoff"] : []);
    requireMultipliers(multipliers, step);
    if (kind === "exchange" || kind === "propagate") fields(multipliers, [], step);
    const own = cutoff === undefined ? {} : { cutoff: readNumber(cutoff, step).toString() };
    return { [kind]: multipliers, ...own } as unknown as Step;
  }
  throw new CertificateError(step, `unknown step ${JSON.stringify(json).slice(0, 80)}`);
}

function readPair(json: unknown, step: number): readonly [string, string] {
  const [first, second, ...more] = readNames(json, "items", step);
  if (first === undefined || second === undefined || more.length > 0) {
    throw new CertificateError(step, "the names of two items were expected");
  }
  return [first, second];
}

function readGroupsPrices(json: unknown, step: number): GroupsPrices {
  const { prices, cuts } = fields(json, ["prices"], step, ["cuts"]);
  requireMultipliers(prices, step);
  if (cuts === undefined) return { prices };
  return { prices, cuts: readList(cuts, "cuts", step).map((cut) => readGroupsCut(cut, step)) };
}

function readListed(json: unknown, step: number): ListedGroups {
  const { narrow, split } = fields(json, ["narrow"], step, ["split"]);
  const prices = readList(narrow, "prices", step).map((one) => readGroupsPrices(one, step));
  if (split === undefined) return { narrow: prices };
  const { pair, together, apart } = fields(split, ["pair", "together", "apart"], step);
  return {
    narrow: prices,
    split: { pair: readPair(pair, step), together: readListed(together, step), apart: readListed(apart, step) },
  };
}

function readGroupsCut(json: unknown, step: number): GroupsCut {
  const { items: named, divisor, price } = fields(json, ["items", "price"], step, ["divisor"]);
  const items = readNames(named, "items", step);
  if (divisor !== undefined && (typeof divisor !== "number" || !Number.isInteger(divisor) || divisor < 2)) {
    throw new CertificateError(step, "a divisor is an integer from 2 on");
  }
  if (items.length <= (divisor ?? 2)) throw new CertificateError(step, "a cut has more items than its divisor");
  const cut = { items, price: readNumber(price, step).toString() };
  return divisor === undefined ? cut : { ...cut, divisor };
}

function readDecompose(json: unknown, step: number): DecomposeStep {
  const names = ["decompose", "purpose", "links", "blocks", "proofs"] as const;
  const { decompose, purpose, links, blocks, proofs } = fields(json, names, step);
  requireMultipliers(decompose, step);
  if (purpose !== "bound" && purpose !== "infeasible") {
    throw new CertificateError(step, `a purpose "bound" or "infeasible" was expected`);
  }
  return {
    decompose,
    purpose,
    links: readNames(links, "columns", step),
    blocks: readList(blocks, "blocks", step).map((block): BlockClaim => {
      const { rows, least, proof } = fields(block, ["rows", "least", "proof"], step);
      if (typeof proof !== "number") throw new CertificateError(step, "the index of a proof was expected");
      return { rows: readNames(rows, "rows", step), least: readNumber(least, step).toString(), proof };
    }),
    proofs: readList(proofs, "proofs", step).map((steps) =>
      readList(steps, "steps", step).map((inner) => readStep(inner, step)),
    ),
  };
}

function requireMultipliers(json: unknown, step: number): asserts json is NamedMultipliers {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, "multipliers by row name were expected");
  }
  for (const value of Object.values(json)) readNumber(value, step);
}

function readNames(json: unknown, what: string, step: number): readonly string[] {
  const names = readList(json, what, step);
  if (!names.every((name) => typeof name === "string")) {
    throw new CertificateError(step, `the names of ${what} were expected`);
  }
  return names;
}

function readList(json: unknown, what: string, step: number): readonly unknown[] {
  if (!Array.isArray(json)) throw new CertificateError(step, `a list of ${what} was expected`);
  return json;
}

function fields<K extends string, O extends string = never>(
  json: unknown,
  names: readonly K[],
  step: number,
  optional: readonly O[] = [],
): Record<K, unknown> & Partial<Record<O, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    throw new CertificateError(step, `an object with ${names.join(", ")} was expected`);
  }
  for (const name of names) {
    if (!(name in json)) throw new CertificateError(step, `"${name}" is missing`);
  }
  for (const name of Object.keys(json)) {
    if (![...names, ...optional].includes(name as K & O))
      throw new CertificateError(step, `"${name}" is not known here`);
  }
  return json as Record<K, unknown> & Partial<Record<O, unknown>>;
}
