import { addWork, crossNet, flops, linear, mlp } from "./dense-work.js";
import type { TowerModule } from "./tower-modules.js";

/** A DCN-v2 (Wang et al. 2021) behind DLRM's embeddings, with or without tower modules. */
export interface Dcn {
  /** Widths of the bottom layers. */
  readonly bottom: readonly number[];
  readonly towers: readonly TowerModule[];
  readonly crossLayers: number;
  readonly crossRank: number;
  /** Widths of the layers over the cross net. */
  readonly over: readonly number[];
}

/** Flops per sample of DCN's dense part: cross net and layers over it work on the towers' outputs and the bottom's vector. */
export function dcnFlops({ bottom, towers, crossLayers, crossRank, over }: Dcn): number {
  const elements = (bottom.at(-1) as number) + towers.reduce((sum, { outputDim }) => sum + outputDim, 0);
  const work = addWork(
    mlp(bottom),
    ...towers.map((tower) => tower.work),
    crossNet(crossLayers, elements, crossRank),
    mlp([elements, ...over]),
  );
  return flops(work, linear(bottom[0] as number, bottom[1] as number));
}
