import { atStage, buildRowTiers, type Held, type RowTiersModel } from "../../../models/row-tiers/build.js";
import { rowsBefore } from "../../access/rows-before.js";
import { tableClasses } from "../../access/table-classes.js";
import { Rational } from "../../exact/rational.js";
import { allowedValue } from "../../instance/allowance.js";
import type { Assignment } from "../../instance/types/assignment.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import { programHash } from "../../program/hash.js";
import { evaluateLadder } from "../../program/ladder/evaluate.js";
import { readCertificate } from "../../proof/certificate.js";
import { hashOf } from "../../proof/check.js";
import { CertificateError } from "../../proof/grammar.js";
import { type NamedProofs, oneProof, type ProvedProgram } from "../proved-program.js";
import { rowTiersReader } from "./instance/reader.js";
import { rowTiersPlanSchema } from "./plan-file/plan-file.js";
import { solveRowTiers } from "./solve/solve.js";
import { runsIn } from "./verify.js";

/**
 * What is proved of a row-tiers plan, or of there being none: its ladder with every class of rows a column a tier. Of several goals
 * each has its proof, among plans that keep to those before: `goal-1`, `goal-2`, ….
 *
 * Throws as `ProofReader` does.
 */
export async function provedRows(source: PlanSource): Promise<NamedProofs> {
  const { plan, instance } = await planWithInstance(rowTiersReader, rowTiersPlanSchema, source);
  const { certificate, request, status, stages } = requireProof(plan, source.file);
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  const whole = buildRowTiers(instance, access, await rowsBefore(instance));
  const planned = status === "infeasible" ? null : runsIn(plan.tables.map(({ runs }) => runs));
  if (instance.goals === undefined) return oneProof(ladderProof(whole, planned, certificate, request.gap));
  const held: Held[] = [];
  const proofs = new Map<string, () => ProvedProgram>();
  for (const [k, { minimize, allow }] of instance.goals.entries()) {
    const stage = stages?.[k];
    const model = atStage(whole, { minimize, held: held.slice() });
    const own = stage === undefined || stage.runs === null ? planned : runsIn(stage.runs);
    const written = k === 0 ? certificate : stage?.certificate;
    if (written == null) break;
    proofs.set(`goal-${k + 1}`, () => ladderProof(model, own, written, request.gap));
    if (own === null) break;
    held.push({
      goal: minimize,
      limit: allowedValue(evaluateLadder(model.ladder, model.pointOf(own)).objective, allow),
    });
  }
  return proofs;
}

/** Of an assignment, or that there is none, what a certificate shows of a ladder. */
function ladderProof(
  model: RowTiersModel,
  assignment: Assignment | null,
  written: unknown,
  gap: number,
): ProvedProgram {
  const { ladder, program } = model;
  const certificate = readCertificate(written);
  if (certificate.program !== hashOf(ladder)) throw new CertificateError(0, "it was made for another program");
  const point = assignment === null ? null : model.pointOf(assignment);
  return {
    program,
    certificate: { ...certificate, program: programHash(program) },
    point: point && [...Array.from(point.counts, Rational.fromNumber), ...point.auxiliaries],
    gap,
    proveAnew: async (timeLimitSeconds) => {
      // What exchanges leave out is feasible, and VIPR derives only what holds of all that is.
      const without = new Set(["interchange dominance"]);
      const starts = assignment === null ? [] : [assignment];
      return (await solveRowTiers(model, { gap: askedGap(gap), timeLimitSeconds, without, starts })).certificate;
    },
  };
}
