import { performance } from "node:perf_hooks";
import { type GroupedInstance, groupInstance } from "../../../../models/grouped-placement/group-instance.js";
import { placementModel } from "../../../../models/table-placement/from-instance.js";
import { InputError } from "../../../errors/input-error.js";
import { loadWith } from "../../../instance/load.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import type { PlanRequest } from "../../../plan-file/envelope.js";
import { EXACT_METHOD } from "../../../plan-file/method-names.js";
import { timingOf } from "../../../plan-file/timing.js";
import { TimeBudget } from "../../../search/time/time-budget.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { START_SHARE } from "../../../search/time/time-shares.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { inPieces, UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import type { PlanOptions } from "../../plan-options.js";
import { requestOf, workOf } from "../../searched.js";
import { tablePlacementReader } from "../../table-placement/instance/reader.js";
import type { BaselinePlacement } from "../../table-placement/plan-file/baseline.js";
import { baselinePlacements, placementBaselines, placementStarts } from "../../table-placement/solve/heuristic-runs.js";
import { assembleGroupedPlan, chosenSize, type GroupedPlacementPlan } from "../plan-file/assemble.js";
import { evaluateSize } from "../plan-file/size.js";
import type { PreparedGroups } from "./prepared.js";
import { SizeSearch } from "./size-search.js";

/** The share of all work that first looks take together: what is far from the best is closed by then. */
const FIRST_LOOKS = 0.3;

/** A further look is worth its while with so many times the work of the longest before it. */
const GROWTH = 1.5;

/** Reads an instance of groups and builds the problem of every size. Throws `InputError`. */
export async function prepareGroups(
  source: TablePlacementInstance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedGroups> {
  const started = performance.now();
  const instance = (await loadWith([tablePlacementReader], source, standardInput)) as GroupedInstance;
  const sizes = instance.groups.sizes.map((size) => {
    const own = groupInstance(instance, size);
    return { instance: own, model: placementModel(own) };
  });
  return { instance, sizes, readSeconds: (performance.now() - started) / 1000 };
}

/**
 * Chooses the size of groups with the placement of the tables on one group, so that the largest device cost is least, what
 * synchronising the copies costs included. Every size is a problem of its own with a proof of its own, and the least of their
 * bounds is that of the choice. Work goes to all sizes evenly at first, then to those that may still have a better plan, those
 * of the least bound first; the others' searches end where their bound passes the best plan.
 *
 * Throws `InputError` for a published method, a solver, or a gap that no plan file can have.
 */
export async function planPreparedGroups(
  prepared: PreparedGroups,
  options: PlanOptions = {},
): Promise<GroupedPlacementPlan> {
  const { method = EXACT_METHOD, solver } = options;
  const { file } = prepared.instance;
  const request = requestOf(options);
  if (method !== EXACT_METHOD) {
    const advice = "leave --method out, or plan one size, as topology.world_size, without groups";
    throw new InputError(`expected the method ${EXACT_METHOD} with groups, received ${method}; ${advice}`, file);
  }
  if (solver !== undefined) {
    throw new InputError(
      "groups of several sizes are no one program that --solver could be asked about; leave it out",
      file,
    );
  }
  return new GroupSearch(prepared, request, options).run();
}

class GroupSearch {
  readonly #prepared: PreparedGroups;
  readonly #request: PlanRequest;
  readonly #options: PlanOptions;
  readonly #budget: TimeBudget;
  /** Of all sizes. */
  readonly #work: Work;
  readonly #units: number;
  readonly #sizes: readonly SizeSearch[];

  constructor(prepared: PreparedGroups, request: PlanRequest, options: PlanOptions) {
    this.#prepared = prepared;
    this.#request = request;
    this.#options = options;
    this.#budget = new TimeBudget(secondsLeft(options, prepared.readSeconds), options.shouldStop);
    this.#work = new Work(this.#budget.isOver);
    this.#units = workOf(request).workSeconds * UNITS_PER_SECOND;
    this.#sizes = prepared.sizes.map(({ instance, model }) => new SizeSearch(instance, model));
  }

  async run(): Promise<GroupedPlacementPlan> {
    const { instance, readSeconds } = this.#prepared;
    const { shouldStop } = this.#options;
    const started = performance.now();
    const baselines = this.#startAll();
    await this.#lookAtAll();
    await this.#lookAgain();
    const gap = askedGap(this.#request.gap);
    const sizes = this.#sizes.map((search) => search.parts(gap));
    const chosen = chosenSize(sizes.map(evaluateSize));
    const at = sizes.findIndex((parts) => parts.problem === chosen?.problem);
    const proveSeconds = this.#sizes.reduce((sum, one) => sum + one.proveSeconds, 0);
    const solveSeconds = (performance.now() - started) / 1000 - proveSeconds;
    return assembleGroupedPlan({
      ...{ instance, sizes, request: this.#request },
      baselines: at === -1 ? [] : (baselines[at] as readonly BaselinePlacement[]),
      isStopped: shouldStop?.() === true,
      timing: timingOf({ readSeconds, solveSeconds, proveSeconds }),
    });
  }

  /** The published methods on every size, which searches start from; those that a plan is shown beside are kept. */
  #startAll(): (readonly BaselinePlacement[])[] {
    const { without = new Set(), shouldStop } = this.#options;
    // Of many devices the published methods of all sizes would take all of the time.
    const isLate = WatchedStop.after(START_SHARE * this.#budget.secondsLeft, shouldStop).ask;
    return this.#sizes.map((search) => {
      if (isLate() || without.has("baselines")) return [];
      const { problem } = search.model;
      const most = (START_SHARE * this.#units) / this.#sizes.length;
      const starting = new Work(this.#budget.isOver, most);
      const starts = baselinePlacements(placementStarts(problem), search.model, {
        seed: this.#request.seed,
        shouldStop: inPieces(starting.ask, UNITS.packing),
      });
      if (!without.has("published starts")) search.startFrom(starts.flatMap(({ placement }) => placement ?? []));
      const shown = new Set<string>(placementBaselines(problem));
      return starts.filter(({ method }) => shown.has(method));
    });
  }

  async #lookAtAll(): Promise<void> {
    const units = (FIRST_LOOKS * this.#units) / this.#sizes.length;
    for (const [k, search] of this.#sizes.entries()) {
      // Of the clock its part of what is left, so that a slow machine has a bound of every size.
      await this.#look(search, units, this.#budget.secondsLeft / (this.#sizes.length - k));
    }
  }

  async #lookAgain(): Promise<void> {
    const gap = askedGap(this.#request.gap);
    while (!this.#work.ask()) {
      const best = this.#best;
      const open = this.#sizes.filter((search) => !search.isClosed(best, gap));
      const units = (this.#units - this.#work.done) / Math.max(1, open.length);
      const worth = open.filter(({ longest }) => units >= GROWTH * longest);
      if (worth.length === 0) return;
      const next = worth.reduce((least, one) => (one.boundOrZero.compare(least.boundOrZero) < 0 ? one : least));
      await this.#look(next, units, this.#budget.secondsLeft);
    }
  }

  async #look(search: SizeSearch, units: number, seconds: number): Promise<void> {
    const { shouldStop, onProgress, without = new Set() } = this.#options;
    const done = await search.look(this.#best, {
      gap: askedGap(this.#request.gap),
      timeLimitSeconds: Math.max(0, seconds),
      ...{ workSeconds: units / UNITS_PER_SECOND, mostUnits: units },
      seed: this.#request.seed,
      without,
      ...(shouldStop === undefined ? {} : { shouldStop }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    this.#work.spend(done);
  }

  /** What the best plan of any size costs. */
  get #best() {
    return this.#sizes.reduce<SizeSearch["value"]>((best, { value }) => {
      return value !== null && (best === null || value.compare(best) < 0) ? value : best;
    }, null);
  }
}
