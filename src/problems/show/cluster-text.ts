import { count } from "../../text/units.js";

/** How many GPUs there are, and where. */
export function clusterText({ nodes, gpusPerNode }: { readonly nodes: number; readonly gpusPerNode: number }): string {
  const gpus = `${count(gpusPerNode)} ${gpusPerNode === 1 ? "GPU" : "GPUs"}`;
  return nodes === 1 ? `one node of ${gpus}` : `${count(nodes)} nodes of ${gpus} each`;
}
