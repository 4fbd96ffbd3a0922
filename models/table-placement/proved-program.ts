import type { Rational } from "../../src/exact/rational.js";
import { programHash } from "../../src/program/hash.js";
import { aggregatedProgram } from "./aggregated-program.js";
import { belowCeiling } from "./below-ceiling.js";
import { countedProgram } from "./counted-program.js";
import { directProgram, type PointedProgram } from "./direct-program.js";
import { evaluatePlacement } from "./evaluate.js";
import { hostsProgram } from "./hosts-problem.js";
import { neuralProgram } from "./learned/build.js";
import type { NeuralHead } from "./learned/head.js";
import { ofMemoryAside, withMemoryAside } from "./memory-aside.js";
import { numberedProgram } from "./numbered-program.js";
import type { Placement, PlacementProblem } from "./problem.js";
import { PROGRAM_NAMES, type ProgramKind } from "./program-name.js";
import type { Restriction } from "./restriction.js";
import { type StageProblem, stageProblem, stageProgram } from "./stage-problem.js";

/** A proof as a plan file has it: the certificate, and which program it is about; files of 0.5.0 and before do not say which. */
export interface WrittenProof {
  readonly certificate?: unknown;
  readonly provedOn?: string | undefined;
}

type Build = (problem: PlacementProblem) => PointedProgram | null;

/** Of no program is a bound above what the best placement costs; `null`: the problem has none of the kind. */
const BUILDERS: Readonly<Record<ProgramKind, Build>> = {
  direct: (problem) => directProgram(problem),
  aggregated: aggregatedProgram,
  counted: (problem) => countedProgram(problem, false),
  "counted-memory": (problem) => countedProgram(problem, true),
  numbered: numberedProgram,
  hosts: (problem) => (problem.nodes > 1 ? hostsProgram(problem) : null),
};

/**
 * The program of a problem that a written proof names. Throws `RangeError` where there is none of the name, or it is not what the
 * certificate is about.
 */
export function provedProgram(problem: PlacementProblem, written: WrittenProof): PointedProgram {
  return namedProgram(problem, written, false);
}

/**
 * The program of what a problem has below a ceiling, which a placement keeps: as this is of the program, with what it costs, no bound
 * of the program is above what the best placement of the whole costs. Throws `RangeError` where the placement costs more than the
 * ceiling or there is none, and as {@link belowCeiling} and {@link provedProgram} do.
 */
export function provedBelow(
  problem: PlacementProblem,
  ceiling: Rational,
  placement: Placement | null,
  written: WrittenProof,
): PointedProgram {
  if (placement === null) throw new RangeError("below a ceiling nothing is shown without a plan that keeps it");
  const restriction = belowCeiling(problem, ceiling);
  const part = restriction?.part(placement) ?? null;
  const { objective, violations } = evaluatePlacement(problem, placement);
  if (restriction === null || part === null || violations.length > 0 || objective.compare(ceiling) > 0) {
    throw new RangeError(`the plan costs ${objective}, more than its ceiling of ${ceiling}, below which it is proved`);
  }
  return partOf(restriction, namedProgram(restriction.problem, written, true), ceiling);
}

/** The program of a restriction as one of the placements of the whole that come to no more than the ceiling. */
export function partOf(
  restriction: Restriction,
  { program, name, pointOf }: PointedProgram,
  ceiling: Rational,
): PointedProgram & { readonly ceiling: Rational } {
  return {
    ...{ program, name, ceiling },
    pointOf: (given) => {
      const own = restriction.part(given);
      if (own === null) throw new RangeError("the placement takes an option that is above the ceiling");
      return pointOf(own);
    },
  };
}

/** `isBelow` a ceiling, of which there is a placement, hosts may stand for their devices, and memory may be set aside. */
function namedProgram(
  problem: PlacementProblem,
  { certificate, provedOn }: WrittenProof,
  isBelow: boolean,
): PointedProgram {
  const about = certificate as {
    readonly program?: unknown;
    readonly claim?: { readonly kind?: unknown } | null;
  } | null;
  const build = (name: string) => {
    const kind = name.replace(/, memory aside$/, "");
    const isAside = kind !== name;
    if (!Object.hasOwn(BUILDERS, kind) || (!isBelow && (kind === "hosts" || isAside))) return null;
    // Of phases it says only that nothing fits: what its points come to is the largest cost.
    if (kind === "aggregated" && problem.goal === "phases" && about?.claim?.kind !== "infeasible") return null;
    const built = BUILDERS[kind as ProgramKind](isAside ? withMemoryAside(problem) : problem);
    return built && isAside ? ofMemoryAside(built) : built;
  };
  const isMeant = (built: PointedProgram) => programHash(built.program) === about?.program;
  if (provedOn === undefined) {
    // Files of 0.5.0 and before have the program's hash and no name: all are built until one has it.
    for (const name of PROGRAM_NAMES) {
      const built = build(name);
      if (built !== null && isMeant(built)) return built;
    }
    return directProgram(problem);
  }
  const built = build(provedOn);
  const named = `provedOn: the program ${JSON.stringify(provedOn)}`;
  if (built === null) throw new RangeError(`${named} is none that a bound of this problem may be of`);
  if (isMeant(built)) return built;
  throw new RangeError(`${named} is not the one that the certificate is about`);
}

/** A problem with what its first goal's proof may rest on besides. */
export interface ProvedFirst {
  readonly problem: PlacementProblem;
  /** Of a learned cost. */
  readonly head: NeuralHead | null;
  /** Placements that cost more are left out of the program; `null`: none. */
  readonly ceiling: Rational | null;
  readonly placement: Placement | null;
}

/**
 * The program of the first goal that a written proof names: of a learned cost its own, below a ceiling as {@link provedBelow} has it, and
 * otherwise that of the stage, which knows nothing of a limit on moves that all tables are within.
 */
export function provedFirst({ problem, head, ceiling, placement }: ProvedFirst, written: WrittenProof): PointedProgram {
  if (head !== null) return neuralProgram(problem, head, ceiling);
  if (ceiling !== null) return provedBelow(problem, ceiling, placement, written);
  return provedStageProgram(stageProblem(problem, 0, []), written);
}

/** The program of a stage that a written proof names; see {@link provedProgram}. */
export function provedStageProgram(stage: StageProblem, written: WrittenProof): PointedProgram {
  return stage.plain === null ? stageProgram(stage) : provedProgram(stage.plain, written);
}
