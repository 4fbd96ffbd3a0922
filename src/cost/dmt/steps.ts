import { flatExchange } from "./flat-exchange.js";
import { indexExchange } from "./index-exchange.js";
import { peerExchange } from "./peer-exchange.js";
import { type Permute, peerPermute, towerTranspose } from "./shuffles.js";
import { towerExchange } from "./tower-exchange.js";
import { type RankTraffic, reversed } from "./traffic.js";
import type { Workload } from "./workload.js";
import { ranksPerTower, towerCount } from "./world.js";

/** A step of an exchange that moves bytes, by the paper's letter (b, the look-up, moves none between ranks). */
export interface StepTraffic {
  readonly pass: "forward" | "backward";
  readonly step: "a" | "c" | "d" | "e" | "f";
  /** Ranks that take part in one collective; 1 where it is a move in a rank's own memory. */
  readonly world: number;
  /** By rank. */
  readonly traffic: readonly RankTraffic[];
}

/** The flat exchange of one iteration (DMT, figure 4): ids out, vectors back, and their gradients the other way. */
export function flatSteps(workload: Workload): readonly StepTraffic[] {
  const { ranks } = workload.world;
  const vectors = flatExchange(workload);
  return [
    { pass: "forward", step: "a", world: ranks, traffic: indexExchange(workload) },
    { pass: "forward", step: "c", world: ranks, traffic: vectors },
    { pass: "backward", step: "c", world: ranks, traffic: reversed(vectors) },
  ];
}

/**
 * SPTT's exchange of one iteration (DMT, figure 7), in the order in which it runs. Gradients take the way back step by step,
 * but where ids were permuted before the look-up: there gradients come as the look-ups lie, in peer order, and stay.
 */
export function spttSteps(workload: Workload, permute: Permute = "vectors"): readonly StepTraffic[] {
  const { world } = workload;
  const steps: StepTraffic[] = [
    { pass: "forward", step: "a", world: world.ranks, traffic: indexExchange(workload) },
    { pass: "forward", step: "c", world: 1, traffic: peerPermute(workload, permute) },
    { pass: "forward", step: "d", world: ranksPerTower(world), traffic: towerExchange(workload) },
    { pass: "forward", step: "e", world: 1, traffic: towerTranspose(workload) },
    { pass: "forward", step: "f", world: towerCount(world), traffic: peerExchange(workload) },
  ];
  const back = steps
    .filter(({ step }) => step !== "a")
    .reverse()
    .map(({ step, world, traffic }): StepTraffic => ({ pass: "backward", step, world, traffic: reversed(traffic) }));
  const unpermuted = peerPermute(workload, permute === "vectors" ? "vectors" : "nothing");
  return [...steps, ...back.map((each) => (each.step === "c" ? { ...each, traffic: unpermuted } : each))];
}
