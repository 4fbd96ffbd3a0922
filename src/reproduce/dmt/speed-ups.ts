import { HARDWARE, type Hardware } from "../../cost/dmt/hardware.js";
import { flatSteps, spttSteps } from "../../cost/dmt/steps.js";
import { baseline, dmtDlrm, type Family, type ModelWork } from "./models.js";
import type { FittedModel, SpeedUp } from "./reproduction.js";
import { dmtModel, flatSetting, spttSetting, WORLDS } from "./setting.js";
import { iterationParts } from "./time-model.js";

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
