import { exchangeSeconds, iterationSeconds, type WireSpeeds } from "../../cost/dmt/collective-seconds.js";
import { HARDWARE, type Hardware } from "../../cost/dmt/hardware.js";
import { flatSteps, type StepTraffic, spttSteps } from "../../cost/dmt/steps.js";
import { busiest } from "../../cost/dmt/traffic.js";
import { Rational } from "../../exact/rational.js";
import { baseline, dmtDcn, dmtDlrm, type Family, type ModelWork } from "./models.js";
import { PUBLISHED } from "./published.js";
import type { FittedModel, IterationParts, SpeedUp } from "./reproduction.js";
import { dmtModel, flatSetting, LOCAL_BATCH, spttSetting, WORLDS } from "./setting.js";

/**
 * Achieved flops per second over the peak, assumed: none is in the paper. A100: what table 2's epoch of 27 minutes comes to if
 * its batch of 128K ran on eight GPUs. H100's is fitted.
 */
const ACHIEVED = { V100: 0.7, A100: 0.25 } as const;

/**
 * The model of an iteration's time, with its three free numbers fitted to what the text says of DCN on 64 H100:
 *
 * - β: all-to-alls across hosts reach world^−β of the scale-out line rate, from "exposed embedding communication 4.6×";
 * - work beside the dense layers, as much with towers as without, in million flops per sample, from "compute 1.4×";
 * - the share of the H100's peak that compute reaches, from "up to 30 % of an iteration waiting for the network".
 *
 * Every number that the model gives for other worlds, GPUs and models is then a prediction.
 */
export function fittedModel(): FittedModel {
  const h100 = HARDWARE.find(({ name }) => name === "H100") as Hardware;
  const { compute, exchange } = PUBLISHED.figure13;
  const flops = { before: baseline("DCN").megaflops, after: dmtDcn(8).megaflops };
  // (before + other) / (after + other) = compute
  const otherMegaflops = (flops.before - compute * flops.after) / (compute - 1);
  const beta = fittedBeta(h100, exchange);
  const waiting = exchangeSeconds(exposed(flatSteps(flatSetting(64))), speeds(h100, beta)).toNumber();
  const computing = (waiting * (1 - PUBLISHED.waitingShare)) / PUBLISHED.waitingShare;
  const flopsPerSecond = ((flops.before + otherMegaflops) * 1e6 * LOCAL_BATCH) / computing;
  return { beta, otherMegaflops, achieved: { ...ACHIEVED, H100: flopsPerSecond / h100.peakFlopsPerSecond } };
}

/**
 * β such that the flat exchange on 64 ranks takes `ratio` times DMT-DCN's of 8 towers. With y = 8^β and bytes per rank A
 * (flat, across), F (f, across) and D (d, inside): A·y²/out = ratio·(F·y/out + D/up), a quadratic equation in y.
 */
function fittedBeta({ scaleOutBytesPerSecond: out, scaleUpBytesPerSecond: up }: Hardware, ratio: number): number {
  const steps = spttSteps(spttSetting(64, dmtModel("DCN", 64)));
  const flat = bytesOf(flatSteps(flatSetting(64)), "c", "acrossHosts");
  const across = ratio * bytesOf(steps, "f", "acrossHosts");
  const inside = (ratio * bytesOf(steps, "d", "insideHost") * out) / up;
  const y = (across + Math.sqrt(across * across + 4 * flat * inside)) / (2 * flat);
  return Math.log2(y) / 3;
}

function bytesOf(steps: readonly StepTraffic[], letter: "c" | "d" | "f", wire: "insideHost" | "acrossHosts"): number {
  const { traffic } = steps.find(({ step }) => step === letter) as StepTraffic;
  return busiest(traffic, wire).toNumber();
}

/** What nothing hides: all but the ids, which pipelining fetches ahead (section 5.1). */
function exposed(steps: readonly StepTraffic[]): readonly StepTraffic[] {
  return steps.filter(({ step }) => step !== "a");
}

/** Line rate inside hosts; across them world^−β of it. No latency: tens of microseconds do not show in milliseconds. */
function speeds(hardware: Hardware, beta: number): WireSpeeds {
  const { scaleOutBytesPerSecond, scaleUpBytesPerSecond } = hardware;
  const worlds = [2, 4, 8, ...WORLDS];
  return {
    insideHost: { latencySeconds: 0, bandwidth: [{ world: 1, bytesPerSecond: scaleUpBytesPerSecond }] },
    acrossHosts: {
      latencySeconds: 0,
      bandwidth: worlds.map((world) => ({ world, bytesPerSecond: scaleOutBytesPerSecond * world ** -beta })),
    },
  };
}

/** An iteration of `megaflops` per sample whose embeddings go by the given steps. */
export function iterationParts(
  model: FittedModel,
  hardware: Hardware,
  megaflops: number,
  steps: readonly StepTraffic[],
): IterationParts {
  const rate = hardware.peakFlopsPerSecond * model.achieved[hardware.name];
  const compute = ((megaflops + model.otherMegaflops) * 1e6 * LOCAL_BATCH) / rate;
  const wires = speeds(hardware, model.beta);
  const iteration = { computeSeconds: Rational.fromNumber(compute), exposed: exposed(steps) };
  return {
    compute,
    exchange: exchangeSeconds(iteration.exposed, wires).toNumber(),
    iteration: iterationSeconds(iteration, wires).toNumber(),
  };
}

/** The largest world that the paper has of each GPU: its V100s are in 16 hosts at most. */
const LARGEST: Readonly<Record<Hardware["name"], number>> = { V100: 128, A100: 512, H100: 512 };

/** Figure 10: modelled iterations of both models on every GPU, at every size that the paper has of it. */
export function speedUps(model: FittedModel): readonly SpeedUp[] {
  return (["DLRM", "DCN"] as const).flatMap((family) =>
    HARDWARE.flatMap((hardware) =>
      WORLDS.filter((ranks) => ranks <= LARGEST[hardware.name]).map((ranks) =>
        speedUp(model, hardware, family, ranks, dmtModel(family, ranks)),
      ),
    ),
  );
}

/** Figure 12: DMT 8T-DLRM on 8 hosts by the width of its modules, on every GPU. */
export function byWidth(model: FittedModel, width: number): readonly SpeedUp[] {
  return HARDWARE.map((hardware) => speedUp(model, hardware, "DLRM", 64, dmtDlrm(8, width)));
}

function speedUp(model: FittedModel, hardware: Hardware, family: Family, ranks: number, modules: ModelWork): SpeedUp {
  const { megaflops } = baseline(family);
  const flat = iterationParts(model, hardware, megaflops, flatSteps(flatSetting(ranks)));
  const sptt = iterationParts(model, hardware, megaflops, spttSteps(spttSetting(ranks, null)));
  const dmt = iterationParts(model, hardware, modules.megaflops, spttSteps(spttSetting(ranks, modules)));
  return {
    ...{ family, gpu: hardware.name, ranks, flat, sptt, dmt },
    speedUp: flat.iteration / dmt.iteration,
    spttAlone: flat.iteration / sptt.iteration,
    modules: sptt.iteration / dmt.iteration,
  };
}
