import type { ComputeDevice } from "../topology.js";

/** Where a table's rows are kept: a device's own memory, its host's, or its SSD. */
export type TableMemory = "hbm" | "host" | "ssd";

/** Where a kernel keeps the table itself; caches in HBM are copies. Kernels that TorchRec does not have keep it in HBM. */
export function memoryOfKernel(kernel: string, device: ComputeDevice): TableMemory {
  if (device === "cpu" || /_uvm(_caching)?$/.test(kernel) || kernel === "dram_virtual_table") return "host";
  return kernel === "key_value" || kernel.endsWith("ssd_virtual_table") ? "ssd" : "hbm";
}

/** Bytes of a number of the optimizer's state: FBGEMM keeps it in single precision, whatever the weights are. */
const STATE_BYTES = 4;

/** Numbers that FBGEMM's optimizers keep, for each element and for each row of a shard, by the name of the class. */
const STATES: Readonly<Record<string, readonly [ofCell: number, ofRow: number]>> = {
  SGD: [0, 0],
  Adam: [2, 0],
  LAMB: [2, 0],
  Adagrad: [1, 0],
  LarsSGD: [1, 0],
  RowWiseAdagrad: [0, 1],
  PartialRowWiseAdam: [1, 1],
  PartialRowWiseLAMB: [1, 1],
};

/**
 * The optimizer's state as the kernel keeps it, in bytes, by the name of its class, with or without its module. None for
 * `null`; a number for each element for a class that is not known.
 */
export function optimizerState(optimizer: string | null): { readonly cellBytes: number; readonly rowBytes: number } {
  if (optimizer === null) return { cellBytes: 0, rowBytes: 0 };
  const [ofCell, ofRow] = STATES[optimizer.slice(optimizer.lastIndexOf(".") + 1)] ?? [1, 0];
  return { cellBytes: STATE_BYTES * ofCell, rowBytes: STATE_BYTES * ofRow };
}
