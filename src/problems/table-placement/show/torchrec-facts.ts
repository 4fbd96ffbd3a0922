import type { DeviceMemory, TorchrecProblem } from "../../../cost/torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../../../cost/torchrec/read-problem.js";
import type { Fact, ForeignModel } from "../../../facts/facts.js";
import type { PlacedDocument } from "../../../instance/document.js";
import { bytes } from "../../../text/units.js";

/** What an instance with TorchRec's costs leaves to it: whose release's they are, and what its reservation keeps back. */
export function torchrecFacts(torchrec: PlacedDocument): ForeignModel {
  const problem = readPlacedTorchrecProblem(torchrec);
  const isNamed = (torchrec.value as { readonly version?: unknown }).version !== undefined;
  const reserved = reservedText(problem);
  const costs: Fact = { name: "costs of", said: releaseText(problem, isNamed) };
  return {
    named: [...(isNamed ? [costs] : []), ...(reserved === null ? [] : [{ name: "reserved", said: reserved }])],
    assumed: isNamed ? [] : [costs],
  };
}

/** Whose costs apply; `isNamed`: because the file says so. */
export function releaseText({ release }: Pick<TorchrecProblem, "release">, isNamed: boolean): string {
  return isNamed ? `TorchRec ${release}` : `TorchRec ${release}, assumed (the key version names another)`;
}

/** On the rank from which most is taken. */
function reservedText({ reserved, devices }: TorchrecProblem): string | null {
  if (reserved === undefined) return null;
  const { policy, from } = reserved;
  const words = [
    taken(from, devices, "HBM", ({ hbmBytes }) => hbmBytes),
    taken(from, devices, "host memory", ({ hostBytes }) => hostBytes),
  ].filter((text) => text !== null);
  return `${words.length === 0 ? "nothing" : words.join(" and ")} (${policy})`;
}

function taken(
  from: readonly DeviceMemory[],
  left: readonly DeviceMemory[],
  memory: string,
  of: (device: DeviceMemory) => number,
): string | null {
  const amounts = from.map((device, rank) => of(device) - of(left[rank] as DeviceMemory));
  const most = Math.max(...amounts);
  if (most === 0) return null;
  const rank = amounts.indexOf(most);
  const isSame = amounts.every((amount) => amount === most);
  const where = isSame ? "on each rank" : `on rank ${rank}, the most of any`;
  return `${bytes(most)} of ${bytes(of(from[rank] as DeviceMemory))} of ${memory} ${where}`;
}
