import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { deviceCount, type Placement, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { PlacementInfeasibility } from "./plan-file.js";
import { crowding, refusedTables, type Shortage, singleTables, totals } from "./shortages.js";
import { writtenChoices } from "./written-choices.js";

/**
 * Why no plan fits, in words: the fewest tables for which one of a few short reasons is found (a table by itself, the
 * total of some, too many of some on one device), with the bytes that are needed and there, and the least that every
 * device must have more. Where none of the reasons holds, it is the arrangement of all shards together: the proof is in
 * the certificate, whatever the words.
 *
 * `relaxed` is a placement that breaks the devices' memory and nothing else; what it breaks it by shows how much more
 * memory would do. Throws `RangeError` when it breaks something else, or nothing.
 */
export function describePlacementInfeasibility(
  problem: PlacementProblem,
  relaxed: Placement | null,
): PlacementInfeasibility {
  const shortages = shortagesOf(problem);
  const fewest = shortages.reduce<Shortage | undefined>(
    (best, shortage) => (best === undefined || shortage.tables.length < best.tables.length ? shortage : best),
    undefined,
  );
  // No memory would help those that are refused.
  const found = refusedTables(problem) ?? fewest ?? arrangementOf(problem);
  const { kind, memory, tables, bytesNeeded, bytesAvailable, explanation } = found;
  const least = largestExtra(shortages);
  const enough =
    relaxed === null ? null : { extraBytesPerDevice: extraOf(problem, relaxed), choices: writtenChoices(relaxed) };
  const atLeast = least > 0 ? least : null;
  return {
    ...{ leastExtraBytesPerDevice: atLeast, relaxed: enough },
    ...{ kind, memory, conflict: tables.map((t) => problem.tables[t]?.name as string), bytesNeeded, bytesAvailable },
    explanation: `${explanation}${extraText(atLeast, enough)}`,
  };
}

/** What is short where nothing by itself is. */
function arrangementOf({ tables, stay, hostBytes, ssdBytes }: PlacementProblem): Shortage {
  const moving = stay === undefined ? "" : ` that moves at most ${stay.mostMoved} of them`;
  const [plain, withSsd] =
    hostBytes === null
      ? (["device", "device and SSD"] as const)
      : (["device and host", "device, host and SSD"] as const);
  return {
    ...{ kind: "arrangement", bytesNeeded: null, bytesAvailable: null, extraPerDevice: 0 },
    memory: ssdBytes === undefined ? plain : withSsd,
    tables: [...tables.keys()],
    explanation: `every table fits by itself and their total would, but no arrangement of all shards${moving} does`,
  };
}

/** Bytes that every device needs more at least, as far as the short reasons show; 0 where none of them holds. */
export function leastExtraBytes(problem: PlacementProblem): number {
  return largestExtra(shortagesOf(problem));
}

function shortagesOf(problem: PlacementProblem): readonly Shortage[] {
  return [...singleTables(problem), ...totals(problem), ...crowding(problem)];
}

/** Each shortage is one by itself, so the largest of them is what has to be made up. */
function largestExtra(shortages: readonly Shortage[]): number {
  return shortages
    .filter(({ memory }) => memory === "device")
    .reduce((most, { extraPerDevice }) => Math.max(most, extraPerDevice), 0);
}

function extraText(least: number | null, enough: PlacementInfeasibility["relaxed"]): string {
  const extra = enough?.extraBytesPerDevice ?? null;
  const isEnough =
    extra === null
      ? ""
      : `${extra} ${extra === 1 ? "byte" : "bytes"} more on every device ${extra === 1 ? "is" : "are"} enough`;
  if (least === null || extra === least) return isEnough === "" ? "" : `; ${isEnough}`;
  const atLeast = `; every device needs at least ${least} ${least === 1 ? "byte" : "bytes"} more`;
  return isEnough === "" ? atLeast : `${atLeast}, ${isEnough}`;
}

/** By how much the placement needs more on some device than there is. */
function extraOf(problem: PlacementProblem, relaxed: Placement): number {
  const { hbmBytes } = evaluatePlacement(problem, relaxed);
  const devices = deviceCount(problem);
  let extra = 0;
  for (let d = 0; d < devices; d++) {
    extra = Math.max(extra, (hbmBytes[d] as number) - (problem.hbmBytes[d] as number));
  }
  const wider = { ...problem, hbmBytes: problem.hbmBytes.map((bytes) => bytes + extra) };
  const [violation] = evaluatePlacement(wider, relaxed).violations;
  if (violation !== undefined || extra === 0) {
    throw new RangeError(`the relaxed plan is none: ${violation ?? "it breaks nothing"}`);
  }
  return extra;
}
