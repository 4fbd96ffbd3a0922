import { describe, expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { tableClasses } from "../../src/access/table-classes.js";
import { Rational } from "../../src/exact/rational.js";
import { loadWith } from "../../src/instance/load.js";
import { rowTiersReader } from "../../src/problems/row-tiers/instance/reader.js";
import { solveRowTiers } from "../../src/problems/row-tiers/solve/solve.js";
import { programHash } from "../../src/program/hash.js";
import type { Ladder } from "../../src/program/ladder/ladder.js";
import type { Program } from "../../src/program/program.js";
import { type Certificate, CertificateError, readCertificate } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";
import { CLASSES } from "../fuzz/generators.js";
import { seekBetter } from "../fuzz/oracle/better-point.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { type Truth, truthOf } from "../fuzz/oracle/truth.js";
import { bruteForce } from "../support/brute-force.js";
import { drawsOf } from "../support/draws.js";
import { instanceFiles } from "../support/instance-files.js";
import { MUTATIONS } from "./certificate-mutations.js";

/** A program with a certificate of the exact method, and what is true of it by brute force. */
interface Subject {
  readonly name: string;
  readonly program: Program;
  /** What the certificate speaks of: the program, or the ladder that the program is written out from. */
  readonly checked: Program | Ladder;
  readonly certificate: Certificate;
  readonly truth: Truth;
}

/** Whether a certificate claims something true. */
function holds({ claim }: Certificate, program: Program, truth: Truth): boolean {
  if (truth.status === "infeasible") return true;
  if (claim.kind === "infeasible") return false;
  const order = Rational.parse(claim.bound).compare(truth.value);
  return program.objective.sense === "minimize" ? order <= 0 : order >= 0;
}

/** `false` when the certificate is refused for a reason that certificates are refused for; other errors are thrown. */
function accepted(program: Program | Ladder, certificate: Certificate): boolean {
  try {
    checkCertificate(program, readCertificate(JSON.parse(JSON.stringify(certificate))));
    return true;
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

/** The truth where the witness can show that nothing is better; `null` where it cannot tell. */
function confirmed(program: Program, value: Rational | null): Truth | null {
  return seekBetter(program, value, 5000) === null ? truthOf(value) : null;
}

async function fromPrograms(): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { name, make } of CLASSES) {
    // Of these there is a ray, and nothing to prove.
    if (name === "unbounded") continue;
    // The longest proof of forty, and the first two that are not a single step.
    const proofs: Subject[] = [];
    for (const seed of drawsOf(40, 0).seeds) {
      const { program, witness } = make(drawFrom(seed));
      const { certificate, verdict } = await solveExactly(program);
      if (certificate === null || verdict === null || certificate.steps.length === 1) continue;
      const truth = witness.kind === "truth" ? witness.truth : confirmed(program, verdict.value);
      if (truth !== null) proofs.push({ name: `${name} ${seed}`, program, checked: program, certificate, truth });
    }
    const longest = proofs
      .filter(({ certificate }) => certificate.steps.length < 200)
      .toSorted((a, b) => b.certificate.steps.length - a.certificate.steps.length);
    const inBasis = proofs.filter(
      ({ certificate }) => certificate.lattice !== undefined && certificate.steps.length < 200,
    );
    subjects.push(...new Set([...proofs.slice(0, 2), ...longest.slice(0, 1), ...inBasis.slice(0, 3)]));
  }
  return subjects;
}

async function fromInstances(): Promise<Subject[]> {
  const files = instanceFiles(["tiny"]);
  const subjects = await Promise.all(
    files.map(async (file): Promise<Subject[]> => {
      const instance = await loadWith([rowTiersReader], file);
      const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
      const model = buildRowTiers(instance, access);
      const { certificate } = await solveRowTiers(model, { gap: Rational.zero, timeLimitSeconds: 60 });
      const optimum = bruteForce(instance, access);
      const truth: Truth = optimum === null ? { status: "infeasible" } : { status: "optimal", value: optimum.seconds };
      const { ladder, program } = model;
      const ofProgram = { ...certificate, program: programHash(program) };
      return [
        { name: file, program, checked: ladder, certificate, truth },
        { name: `${file} written out`, program, checked: program, certificate: ofProgram, truth },
      ];
    }),
  );
  return subjects.flat();
}

describe.each([
  { of: "programs", prepare: fromPrograms, perMutation: 25, without: ["cutoff"] },
  // Certificates of row tiers speak of the program as it is.
  { of: "row-tiers instances", prepare: fromInstances, perMutation: 40, without: ["lattice"] },
])("corrupted certificates of $of", ({ prepare, perMutation, without }) => {
  test("are refused, or claim something that is true all the same", { timeout: 300_000 }, async () => {
    const subjects = await prepare();
    const tally = Object.fromEntries(MUTATIONS.map(({ name }) => [name, { tried: 0, refused: 0 }]));
    const lies: string[] = [];
    for (const { name, program, checked, certificate, truth } of subjects) {
      expect(accepted(checked, certificate), name).toBe(true);
      expect(holds(certificate, program, truth), name).toBe(true);
      for (const [index, mutation] of MUTATIONS.entries()) {
        const count = tally[mutation.name] as { tried: number; refused: number };
        for (const seed of drawsOf(perMutation, 1000 * index).seeds) {
          const changed = mutation.apply(certificate, program, drawFrom(seed));
          if (changed === null || JSON.stringify(changed) === JSON.stringify(certificate)) continue;
          count.tried++;
          const passed = accepted(checked, changed);
          if (!passed) count.refused++;
          // A mutation after which nothing can be a proof, or a claim that is false: neither may pass.
          if (passed && (mutation.fatal || !holds(changed, program, truth))) {
            lies.push(`${name}, ${mutation.name} ${seed}: ${JSON.stringify(changed.claim)}`);
          }
        }
      }
    }
    expect(lies).toEqual([]);
    const tried = Object.values(tally).reduce((sum, one) => sum + one.tried, 0);
    expect(tried).toBeGreaterThan(1000);
    // A kind of corruption that is never refused would say that the checker does not look there.
    for (const { name, harmless } of MUTATIONS) {
      const { tried: times, refused } = tally[name] as { tried: number; refused: number };
      const absent = times === 0 && without.some((word) => name.includes(word));
      if (harmless !== true && !absent && drawsOf(perMutation, 0).isWhole)
        expect(refused, `${name}: ${times} tried`).toBeGreaterThan(0);
    }
  });
});
