import { atStage, buildRowTiers } from "../../../models/row-tiers/build.js";
import { rowsBefore } from "../../access/rows-before.js";
import { tableClasses } from "../../access/table-classes.js";
import { Rational } from "../../exact/rational.js";
import type { Run } from "../../instance/types/assignment.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import { type PlanSource, planWithInstance, requireProof } from "../../plan-file/original-plan.js";
import { programHash } from "../../program/hash.js";
import { readCertificate } from "../../proof/certificate.js";
import { hashOf } from "../../proof/check.js";
import { CertificateError } from "../../proof/grammar.js";
import type { ProvedProgram } from "../proved-program.js";
import { rowTiersReader } from "./instance/reader.js";
import { rowTiersPlanSchema } from "./plan-file/plan-file.js";
import { solveRowTiers } from "./solve/solve.js";

/**
 * What is proved of a row-tiers plan, or of there being none: its ladder with every class of rows a column a tier. Of several goals
 * the first one's.
 *
 * Throws as `ProofReader` does.
 */
export async function provedRows(source: PlanSource): Promise<ProvedProgram> {
  const { plan, instance } = await planWithInstance(rowTiersReader, rowTiersPlanSchema, source);
  const { certificate: written, request, status, stages } = requireProof(plan, source.file);
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  const whole = buildRowTiers(instance, access, await rowsBefore(instance));
  const [goal] = instance.goals ?? [];
  const model = goal === undefined ? whole : atStage(whole, { minimize: goal.minimize, held: [] });
  const { ladder, program } = model;
  const certificate = readCertificate(written);
  if (certificate.program !== hashOf(ladder)) throw new CertificateError(0, "it was made for another program");
  const runs = stages?.[0]?.runs ?? plan.tables.map((table) => table.runs);
  const assignment =
    status === "infeasible"
      ? null
      : runs.map((ofTable) => ofTable.map(([rows, tier]): Run => ({ rows, tier: tier as Run["tier"] })));
  const point = assignment === null ? null : model.pointOf(assignment);
  return {
    program,
    certificate: { ...certificate, program: programHash(program) },
    point: point && [...Array.from(point.counts, Rational.fromNumber), ...point.auxiliaries],
    gap: request.gap,
    proveAnew: async (timeLimitSeconds) => {
      // What exchanges leave out is feasible, and VIPR derives only what holds of all that is.
      const without = new Set(["interchange dominance"]);
      const starts = assignment === null ? [] : [assignment];
      const options = { gap: askedGap(request.gap), timeLimitSeconds, without, starts };
      return (await solveRowTiers(model, options)).certificate;
    },
  };
}
