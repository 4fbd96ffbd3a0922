import { flatSteps, type StepTraffic, spttSteps } from "../../cost/dmt/steps.js";
import { busiest, hostTraffic } from "../../cost/dmt/traffic.js";
import type { Workload } from "../../cost/dmt/workload.js";
import type { CollectiveBytes, ExchangeBytes } from "./reproduction.js";
import { dmtModel, flatSetting, spttSetting } from "./setting.js";

/** Bytes of every collective on `ranks` GPUs, by the flat exchange, by SPTT, and by SPTT with each model's tower modules. */
export function collectiveBytes(ranks: number): ExchangeBytes {
  const sptt = (workload: Workload) => ofSteps(workload, spttSteps(workload));
  const flat = flatSetting(ranks);
  return {
    ranks,
    flat: ofSteps(flat, flatSteps(flat)),
    sptt: sptt(spttSetting(ranks, null)),
    dlrm: sptt(spttSetting(ranks, dmtModel("DLRM", ranks))),
    dcn: sptt(spttSetting(ranks, dmtModel("DCN", ranks))),
  };
}

function ofSteps(workload: Workload, steps: readonly StepTraffic[]): readonly CollectiveBytes[] {
  return steps
    .filter(({ world }) => world > 1)
    .map(({ pass, step, world, traffic }) => ({
      ...{ pass, step, world },
      insideHost: busiest(traffic, "insideHost").toNumber(),
      acrossHosts: busiest(traffic, "acrossHosts").toNumber(),
      acrossHostsPerHost: busiest(hostTraffic(workload.world, traffic), "acrossHosts").toNumber(),
    }));
}
