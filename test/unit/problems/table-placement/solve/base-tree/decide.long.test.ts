import { describe, expect } from "vitest";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import {
  type Decision,
  LimitDecision,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-search.js";
import { programHash } from "../../../../../../src/program/hash.js";
import type { Step } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { Work } from "../../../../../../src/search/work.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { testInTurn } from "../../../../../support/draws.js";
import { bestPlacement, tinyPlacement } from "../../../../../support/tiny-placement.js";

const JUST = 1e-6;

/** Units of a decision that is left open: some trees are half closed by then. */
const BEGUN = 10;

/** The part by which a claim is far above another: few nodes are closed there. */
const FAR = 0.1;

/** A decision at a claim that is a little higher, or far above, is left open, and its tree gone on with. */
type Begun = "far" | "near" | null;

async function decide(problem: PlacementProblem, claim: number, begun: Begun): Promise<Decision | null> {
  const work = new Work();
  const direct = directProgram(problem);
  const higher = claim * (1 + JUST / 2);
  const options = { work, affordsChecking: () => true, memoryBinds: true, beside: null };
  const above = begun === "far" ? claim * (1 + FAR) : higher;
  const first = begun === null ? null : await LimitDecision.open(problem, direct, above, options);
  const isOpen = first instanceof LimitDecision;
  if (isOpen) await first.run(work.slice(BEGUN));
  const decision = await LimitDecision.open(problem, direct, claim, options, isOpen ? first.begun() : null);
  if (isOpen) first.dispose();
  if (decision === null) return null;
  if (!(decision instanceof LimitDecision)) return { kind: "refuted", proof: decision };
  const answer = await decision.run(work.slice(20_000));
  decision.dispose();
  return answer;
}

function check(problem: PlacementProblem, claim: string, steps: readonly Step[]) {
  const { program } = directProgram(problem);
  return checkCertificate(program, {
    ...{ format: "shardproof-certificate 1", program: programHash(program), steps },
    claim: { kind: "bound", bound: claim },
  });
}

/** Tiny problems of one or two hosts with options that put shards on every device of one. */
function* hosts(seeds: number): Generator<{ seed: number; problem: PlacementProblem; best: number }> {
  for (let seed = 0; seed < seeds; seed++) {
    const problem = tinyPlacement(drawFrom(seed));
    if (directProgram(problem).structure.bases.length === 0) continue;
    const best = bestPlacement(problem);
    if (best !== null && best.largest > 0) yield { seed, problem, best: best.largest };
  }
}

describe("decisions by a tree over the hosts' bases", () => {
  testInTurn(
    "below the optimum there is nothing, and the checker says so; above it none is denied",
    async () => {
      const counts = { refuted: 0, found: 0, improved: 0, stuck: 0, stopped: 0 };
      for (const { seed, problem, best } of hosts(500)) {
        const way = ([null, null, "near", "far"] as const)[Math.floor(seed / 2) % 4] as Begun;
        const below = await decide(problem, best * (1 - JUST), way);
        if (below === null) continue;
        counts[below.kind]++;
        expect(below.kind, `seed ${seed}`).not.toBe("found");
        if (below.kind === "refuted") {
          const { claim, steps } = below.proof;
          expect(() => check(problem, String(claim), steps), `seed ${seed}`).not.toThrow();
        }
        const above = await decide(problem, best * (1 + JUST), way);
        expect(above?.kind, `seed ${seed}`).not.toBe("refuted");
        if (above?.kind === "found") {
          counts.found++;
          expect(evaluatePlacement(problem, above.placement).violations).toEqual([]);
        }
      }
      expect(counts.refuted).toBeGreaterThan(100);
      expect(counts.found).toBeGreaterThan(100);
      expect(counts.stuck + counts.stopped).toBeLessThan(0.2 * counts.refuted);
    },
    300_000,
  );
});
