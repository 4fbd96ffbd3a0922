import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { anyPlanVipr } from "../../src/problems/planning/export.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { programHash } from "../../src/program/hash.js";
import { loadProgram } from "../../src/program/load-program.js";
import type { Program } from "../../src/program/program.js";
import { type ExactSolution, solveExactly } from "../../src/search/exact-milp/solve-exactly.js";
import { checkVipr } from "../../src/vipr/check.js";
import { writeVipr } from "../../src/vipr/write.js";
import { CLASSES } from "../fuzz/generators.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { drawCutProgram, provedWithCuts } from "../support/cut-programs.js";
import { impliedProgram } from "../unit/vipr/implied-program.js";
import { randomProgram } from "../unit/vipr/random-program.js";
import { integerCases } from "./integer-cases.js";
import { linearCases } from "./linear-cases.js";
import { numericCases } from "./numeric-cases.js";
import { outcomeCases } from "./outcome-cases.js";
import { written } from "./written-program.js";

/** VIPR's own checker, https://github.com/scipopt/vipr: the path of a built `viprchk`. docs/proofs.md says how to build it. */
const { VIPRCHK, VIPRCHK_PROGRAMS } = process.env;

/** Random programs of every kind. */
const PER_KIND = Number(VIPRCHK_PROGRAMS ?? 12);

if (VIPRCHK === undefined || VIPRCHK === "") {
  it.skip("what is written as VIPR, viprchk accepts: VIPRCHK does not name a built viprchk", () => undefined);
} else {
  describe(`what is written as VIPR, ${VIPRCHK} accepts`, { timeout: 600_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "shardproof-viprchk-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("and refuses a claim that is not derived, which shows that it is viprchk", () => {
      const text = "VER 1.1\nVAR 1\nx\nINT 0\nOBJ min\n1 0 1\nCON 1 1\nb G 1 1 0 1\nRTP range 2 inf\nSOL 0\n";
      expect(said(`${text}DER 1\nd G 2 OBJ { lin 1 0 1 } -1\n`)).toBeNull();
      expect(said(`${text.replace("range 2", "range 1")}DER 1\nd G 1 OBJ { lin 1 0 1 } -1\n`)).toBe(
        "optimal value range [1, inf).",
      );
    });

    it.each(CLASSES.map(({ name, make }, index) => ({ name, make, seed: 40_000 + index * 1000 })))(
      "random programs: $name",
      async ({ make, seed }) => {
        for (let k = 0; k < PER_KIND; k++) await expectAccepted(make(drawFrom(seed + k)).program);
      },
    );

    it("random programs of many kinds", async () => {
      for (let seed = 1; seed <= PER_KIND; seed++) await expectAccepted(randomProgram(seed));
    });

    it("proofs with cuts", async () => {
      let cuts = 0;
      for (let seed = 1; seed <= 8 * PER_KIND; seed++) {
        const program = drawCutProgram(drawFrom(seed));
        const proved = await provedWithCuts(program);
        if (proved === null) continue;
        expectSolutionAccepted(program, proved);
        cuts += proved.certificate.steps.filter((step) => "cut" in step).length;
      }
      expect(cuts).toBeGreaterThan(PER_KIND);
    });

    it("continuous columns that are whole at some optimum", async () => {
      for (let seed = 1; seed <= PER_KIND; seed++) {
        const program = impliedProgram(seed);
        await expectAccepted(program);
        const declared = await solve(impliedProgram(seed, true));
        // Cuts by splits of such columns have no words in VIPR.
        const hasCuts = declared.certificate?.steps.some((step) => "cut" in step) === true;
        if (declared.certificate?.lattice === undefined && !hasCuts) expectSolutionAccepted(program, declared);
      }
    });

    it.each(Object.entries({ integerCases, linearCases, numericCases, outcomeCases }))("%s", async (_, cases) => {
      for (const item of cases) await expectAccepted(written(item));
    });

    it.each(programsIn("instances/programs", "instances/hostile/programs"))("%s", async (file) => {
      await expectAccepted(await loadProgram(file));
    });

    it.each(readdirSync("instances/tiny").filter((name) => name.endsWith(".yaml")))("the plan of %s", async (name) => {
      const instance = join("instances/tiny", name);
      const plan = await planInstance(instance, {});
      const open = () => loadInstance(instance);
      // Some plans have several proofs, of a program each.
      let names: readonly string[] = [];
      const onNamed = (_: string, all: readonly string[]) => {
        names = all;
      };
      expect(said(await anyPlanVipr(writePlan(plan), name, open, { onNamed }))).not.toBeNull();
      for (const proof of names) {
        expect(said(await anyPlanVipr(writePlan(plan), name, open, { proof }))).not.toBeNull();
      }
    });

    async function expectAccepted(program: Program): Promise<void> {
      const { certificate, point } = await solve(program);
      expectSolutionAccepted(program, { certificate, point });
    }

    function expectSolutionAccepted(
      program: Program,
      { certificate, point }: Pick<ExactSolution, "certificate" | "point">,
    ): void {
      if (certificate === null) return;
      const text = writeVipr(program, { ...certificate, program: programHash(program) }, point);
      const { claim } = checkVipr(text);
      const { constant } = program.objective;
      expect([program.name, said(text)]).toEqual([
        program.name,
        claim.kind === "infeasible"
          ? "infeasibility."
          : `optimal value range ${claim.lower === null ? "(-inf" : `[${claim.lower}`}, ${claim.upper === null ? "inf)" : `${claim.upper}]`}.`,
      ]);
      const bound =
        claim.kind === "infeasible" ? null : program.objective.sense === "minimize" ? claim.lower : claim.upper;
      const claimed = certificate.claim.kind === "bound" ? Rational.parse(certificate.claim.bound) : null;
      expect(bound?.add(constant).toString() ?? null).toBe(claimed?.toString() ?? null);
    }

    /** What viprchk says it verified; `null` where it verified nothing. */
    function said(text: string): string | null {
      const file = join(folder, "proof.vipr");
      writeFileSync(file, text);
      const { status, stdout, error } = spawnSync(VIPRCHK as string, [file], { encoding: "utf8", maxBuffer: 1 << 28 });
      if (error !== undefined) throw error;
      return status === 0 ? (/Successfully verified ([^\n]*)/.exec(stdout)?.[1] ?? null) : null;
    }
  });
}

function solve(program: Program): Promise<ExactSolution> {
  return solveExactly(program, { timeLimitSeconds: 5 });
}

function programsIn(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(mps|lp)$/.test(basename(name)))
      .map((name) => join(folder, name)),
  );
}
