import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import { parsePlan } from "../../plan-file/read-plan.js";
import { PROBLEMS } from "../../problems/planning/registry.js";
import { simulateTowers } from "../../simulate/plans/exchange-plan.js";
import { simulatePlacement } from "../../simulate/plans/placement-plan.js";
import { simulatePlanText } from "../../simulate/simulate.js";
import { count } from "../../text/units.js";
import { showSimulatedPlacement } from "../show/simulated-placement.js";
import { showSimulatedTowers } from "../show/simulated-towers.js";
import { showSimulation } from "../show/simulation.js";
import type { SIMULATE } from "../tables/more.js";
import type { OptionsOf } from "../tables/table.js";
import { withStatusLine } from "../terminal/status-line.js";
import { EXIT, jsonText, readGiven, requireOneStandardInput, writeResult } from "../terminal/streams.js";
import { planInstanceOpener } from "./plan-instance.js";

/** `shardproof simulate PLAN`. */
export async function runSimulate(file: string, options: OptionsOf<typeof SIMULATE>): Promise<number> {
  const { instance, events, batches, seed, samples, indexOrder, table, rankFile, json } = options;
  const { row, list, sample, format } = options;
  requireOneStandardInput([file, instance]);
  if (events === undefined) {
    const ofLog = { table, row, list, sample, format, "rank-file": rankFile };
    const name = Object.keys(given(ofLog))[0];
    if (name !== undefined) throw new UsageError(`--${name} is of a log: it needs --events FILE`);
  } else if (row !== undefined && list !== undefined) {
    throw new UsageError("give --row or --list, not both");
  } else if (batches !== undefined || seed !== undefined) {
    throw new UsageError("--events replays a log as it is: it takes no --batches and no --seed");
  }
  const text = await readGiven(file, "a plan file");
  const openInstance = planInstanceOpener(file, instance);
  const plan = parsePlan(text, file);
  const simulation = plan.shardproof === 1 ? PROBLEMS.find(({ isOf }) => isOf(plan))?.simulation : undefined;
  if (simulation !== "look-ups" && (samples !== undefined || indexOrder !== undefined)) {
    throw new UsageError("--samples and --index-order are for plans of table-placement");
  }
  if (simulation === "exchange") {
    if (events !== undefined || batches !== undefined) {
      throw new UsageError("an exchange of towers is one iteration: it takes no --events and no --batches");
    }
    const towers = await simulateTowers(plan, { text, file, seed: seed ?? 0 }, openInstance);
    await writeResult(json === true ? jsonText(towers) : showSimulatedTowers(towers));
    return towers.verdict.within ? EXIT.solved : EXIT.verificationFailed;
  }
  const columns = given({ row, list, sample, format });
  const log = { ...given({ table, rankFile }), ...(Object.keys(columns).length === 0 ? {} : { columns }) };
  const asked = { ...given({ batches, seed }), ...(events === undefined ? {} : { events: { file: events, ...log } }) };
  const what = events === undefined || simulation === "look-ups" ? "batches" : "samples";
  const { result, shown } = await withStatusLine(options.quiet, async (line) => {
    const onProgress = (done: number) => line.show(() => [`${count(done)} ${what}`]);
    if (simulation === "look-ups") {
      const more = given({ samples, indexOrder });
      const result = await simulatePlacement(text, file, openInstance, { ...asked, ...more, onProgress });
      return { result, shown: () => showSimulatedPlacement(result) };
    }
    const result = await simulatePlanText(text, file, openInstance, { ...asked, onProgress });
    return { result, shown: () => showSimulation(result) };
  });
  await writeResult(json === true ? jsonText(result) : shown());
  return STATUS[result.verdict.outcome];
}

const STATUS = { agrees: EXIT.solved, differs: EXIT.verificationFailed, "too few": EXIT.notProved } as const;
