import { Rational } from "../../src/exact/rational.js";
import type { Program } from "../../src/program/program.js";
import {
  type Certificate,
  CertificateError,
  type CutStep,
  type KnapsackStep,
  type Step,
} from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { checkVipr } from "../../src/vipr/check.js";
import { ViprUnsupportedError, writeVipr } from "../../src/vipr/write.js";
import { type Draw, drawFrom } from "../fuzz/oracle/draw.js";
import type { Truth } from "../fuzz/oracle/truth.js";
import {
  CUT_MUTATIONS,
  cutAlone,
  drawCutProgram,
  KNAPSACK_MUTATIONS,
  nameOf,
  provedWithCuts,
  roundsOfCuts,
  truthByEnumeration,
} from "./cut-programs.js";

/** What came of trying programs with cuts; what is wrong is listed in words. */
export interface Tried {
  proofs: number;
  cuts: number;
  /** Of which are of knapsacks. */
  knapsacks: number;
  vipr: number;
  /** Of which VIPR has no words. */
  unwritten: number;
  /** Of programs with continuous columns, files with a cut that comes after fixing. */
  afterFixing: number;
  mutants: number;
  refused: number;
  readonly wrong: string[];
}

/**
 * Proves small programs with cuts and compares with enumeration: the claim, each cut by itself, the VIPR file's claim; then
 * corrupts cuts, of which none may be accepted that enumeration finds false.
 */
export async function tryCuts(
  from: number,
  to: number,
  mutantsPerCut: number,
  drawProgram: (draw: Draw) => Program = drawCutProgram,
): Promise<Tried> {
  const tried: Tried = {
    proofs: 0,
    cuts: 0,
    knapsacks: 0,
    vipr: 0,
    unwritten: 0,
    afterFixing: 0,
    mutants: 0,
    refused: 0,
    wrong: [],
  };
  for (let seed = from; seed < to; seed++) {
    const draw = drawFrom(seed);
    const program = drawProgram(draw);
    const proved = await provedWithCuts(program);
    if (proved === null) continue;
    const truth = truthByEnumeration(program);
    // Once more from the point found: then columns are fixed before the last cuts.
    const again = proved.point === null ? null : await provedWithCuts(program, proved.point);
    for (const each of again === null ? [proved] : [proved, again]) tryProof(tried, program, each, truth, seed);
    const steps = await roundsOfCuts(program, 4);
    const cuts = steps.flatMap((step, k) => (isCut(step) ? [[step, k] as const] : []));
    for (const [cut, k] of cuts) {
      tried.cuts++;
      if ("knapsack" in cut) tried.knapsacks++;
      const before = steps.slice(0, k);
      if (!isAccepted(cutAlone(program, before, cut)))
        tried.wrong.push(`seed ${seed}: ${nameOf(cut)} does not stand alone`);
      if (!isValid(cutAlone(program, before, cut))) tried.wrong.push(`seed ${seed}: ${nameOf(cut)} cuts off a point`);
      for (let m = 0; m < mutantsPerCut; m++) {
        const [name, mutant] = mutated(cut, program, draw);
        if (mutant === null) continue;
        const alone = cutAlone(program, before, mutant);
        tried.mutants++;
        if (!isAccepted(alone)) tried.refused++;
        else if (!isValid(alone)) tried.wrong.push(`seed ${seed}: ${nameOf(cut)} with ${name} is accepted, and false`);
      }
    }
  }
  return tried;
}

function isCut(step: Step): step is CutStep | KnapsackStep {
  return "cut" in step || "knapsack" in step;
}

function mutated(
  cut: CutStep | KnapsackStep,
  program: Program,
  draw: Draw,
): readonly [name: string, mutant: CutStep | KnapsackStep | null] {
  const of = <Mutations extends object>(mutations: Mutations) =>
    draw.of(Object.entries(mutations) as [string, Mutations[keyof Mutations]][]);
  if ("knapsack" in cut) {
    const [name, mutate] = of(KNAPSACK_MUTATIONS);
    return [name, mutate?.(cut, program, draw) ?? null];
  }
  const [name, mutate] = of(CUT_MUTATIONS);
  return [name, mutate?.(cut, program, draw) ?? null];
}

function viprOf(program: Program, certificate: Certificate, point: readonly Rational[] | null): string | null {
  try {
    return writeVipr(program, certificate, point);
  } catch (error) {
    if (error instanceof ViprUnsupportedError) return null;
    throw error;
  }
}

/** Compares a proof with enumeration, as JSON and as VIPR. */
function tryProof(
  tried: Tried,
  program: Program,
  { certificate, point, complete }: NonNullable<Awaited<ReturnType<typeof provedWithCuts>>>,
  truth: Truth,
  seed: number,
): void {
  const { bound } = checkCertificate(program, certificate);
  tried.proofs++;
  const isTrue =
    truth.status === "infeasible" ||
    (bound !== null && (complete ? bound.equals(truth.value) : bound.compare(truth.value) <= 0));
  if (!isTrue) tried.wrong.push(`seed ${seed}: claimed ${bound}`);
  if (!certificate.steps.some(isCut)) return;
  const text = viprOf(program, certificate, point);
  if (text === null) {
    tried.unwritten++;
    return;
  }
  const { claim } = checkVipr(text, `seed ${seed}`);
  const expected = bound?.subtract(program.objective.constant) ?? null;
  const said = claim.kind === "range" ? claim.lower : null;
  if (String(said) !== String(expected)) tried.wrong.push(`seed ${seed}: VIPR says ${said}, not ${expected}`);
  tried.vipr++;
  const fixed = certificate.steps.findIndex((step) => "fix" in step);
  const isAfter = fixed !== -1 && certificate.steps.slice(fixed).some(isCut);
  if (isAfter && program.columns.some(({ integer }) => !integer)) tried.afterFixing++;
}

function isAccepted({ program, certificate }: ReturnType<typeof cutAlone>): boolean {
  try {
    checkCertificate(program, certificate);
    return true;
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

/** Whether every point keeps the cut, by enumeration. */
function isValid({ program, certificate }: ReturnType<typeof cutAlone>): boolean {
  if (certificate.claim.kind === "infeasible") return false;
  const truth = truthByEnumeration(program);
  return truth.status === "infeasible" || truth.value.compare(Rational.parse(certificate.claim.bound)) >= 0;
}
