import { InputError } from "../../errors/input-error.js";
import type { TorchrecReservationInput } from "../../instance/schema/torchrec.js";
import type { TorchrecConstants } from "./constants.js";
import type { DeviceMemory, TorchrecTable } from "./problem.js";
import { roundHalfEven, sum } from "./python-numbers.js";
import type { ComputeDevice } from "./topology.js";

/**
 * What is kept back from every rank before tables are placed (planner/storage_reservations.py). `denseBytes` are those of
 * the rest of the model: {@link denseBytes} or a measured number.
 */
export type StorageReservation =
  /** A share of HBM. */
  | { readonly policy: "fixed_percentage"; readonly percentage: number }
  /** Bytes of HBM. */
  | { readonly policy: "fixed_absolute"; readonly hbmBytes: number }
  /** A share of HBM, the dense model, and twenty copies of a batch's indices: the planner's own default, with 0.15. */
  | { readonly policy: "heuristical"; readonly percentage: number; readonly denseBytes: number }
  /** As heuristical, with one copy of the indices. */
  | { readonly policy: "inference"; readonly percentage: number; readonly denseBytes: number }
  /** Bytes of HBM for the margin, the runtime and the dense model, and twenty copies of a batch's indices. */
  | {
      readonly policy: "sku_aware";
      readonly marginBytes: number;
      readonly runtimeOverheadBytes: number;
      readonly denseBytes: number;
    }
  /** The same with measured bytes in the place of margin and dense model. */
  | { readonly policy: "sku_aware"; readonly modelBaseBytes: number; readonly runtimeOverheadBytes: number };

/** Two batches in the pipeline with ten internal copies each. */
const TRAINING_COPIES = 20;

/** What the reservation of a batch's indices depends on. */
export interface ReservationContext {
  readonly computeDevice: ComputeDevice;
  readonly tables: readonly Pick<TorchrecTable, "features">[];
  readonly constants: TorchrecConstants;
}

/**
 * The devices with the reservation taken off. Throws {@link InputError} where TorchRec raises INSUFFICIENT_STORAGE: a
 * heuristical reservation above the HBM of rank 0, or an sku_aware one that leaves it nothing.
 */
export function reserveStorage(
  devices: readonly DeviceMemory[],
  reservation: StorageReservation,
  context: ReservationContext,
): readonly DeviceMemory[] {
  const { computeDevice } = context;
  switch (reservation.policy) {
    case "fixed_percentage":
      return devices.map((device) => keepShare(device, reservation.percentage));
    case "fixed_absolute":
      return devices.map((device) => subtractHbm(device, reservation.hbmBytes));
    case "heuristical":
    case "inference": {
      const copies = reservation.policy === "inference" ? 1 : TRAINING_COPIES;
      const bytes = [reservation.denseBytes, indexBytes(context, copies)];
      const left = devices.map((device) => subtract(keepShare(device, reservation.percentage), bytes, computeDevice));
      if (reservation.policy === "heuristical") requireHbm(left[0], (hbmBytes) => hbmBytes >= 0);
      return left;
    }
    case "sku_aware": {
      const isMeasured = "modelBaseBytes" in reservation;
      const base = isMeasured ? reservation.modelBaseBytes : reservation.marginBytes;
      const bytes = [isMeasured ? 0 : reservation.denseBytes, indexBytes(context, TRAINING_COPIES)];
      const left = devices.map((device) =>
        subtract(subtractHbm(subtractHbm(device, base), reservation.runtimeOverheadBytes), bytes, computeDevice),
      );
      requireHbm(left[0], (hbmBytes) => hbmBytes > 0);
      return left;
    }
  }
}

/** A reservation as files have it. */
export function reservationOf(input: TorchrecReservationInput): StorageReservation {
  switch (input.policy) {
    case "fixed_percentage":
      return { policy: "fixed_percentage", percentage: input.percentage };
    case "fixed_absolute":
      return { policy: "fixed_absolute", hbmBytes: input.hbm_reserved_bytes };
    case "heuristical":
    case "inference": {
      const { policy, percentage } = input;
      // Inference is without gradients and optimizer.
      const dense = policy === "inference" ? { ...input, parameter_multiplier: 1 } : input;
      return { policy, percentage, denseBytes: denseBytesOf(dense) };
    }
    case "sku_aware": {
      const { runtime_overhead_bytes: runtimeOverheadBytes, model_base_bytes: modelBaseBytes } = input;
      if (modelBaseBytes !== undefined) return { policy: "sku_aware", modelBaseBytes, runtimeOverheadBytes };
      const marginBytes = input.margin_bytes;
      return { policy: "sku_aware", marginBytes, runtimeOverheadBytes, denseBytes: denseBytesOf(input) };
    }
  }
}

interface DenseInput {
  readonly dense_parameter_bytes?: number | undefined;
  readonly dense_buffer_bytes?: number | undefined;
  readonly dense_tensor_estimate?: number | undefined;
  readonly parameter_multiplier: number;
}

function denseBytesOf(input: DenseInput): number {
  const { dense_parameter_bytes: parameters = 0, dense_buffer_bytes: buffers = 0 } = input;
  // As in Python, an estimate of 0 is none.
  return input.dense_tensor_estimate || denseBytes(parameters, buffers, input.parameter_multiplier);
}

/**
 * Bytes of the rest of the model (`_get_dense_tensor_size`): parameters with their gradients and optimizer state, six times
 * their size (once for inference), and the buffers.
 */
export function denseBytes(parameterBytes: number, bufferBytes: number, multiplier = 6): number {
  return roundHalfEven(multiplier * parameterBytes + bufferBytes);
}

/** Bytes of `copies` of one rank's indices; the number of poolings is left out, as TorchRec does. */
export function indexBytes(
  { tables, constants }: Pick<ReservationContext, "tables" | "constants">,
  copies: number,
): number {
  const indices = tables.flatMap(({ features }) => features.map(({ length, batchSize }) => length * batchSize));
  return Math.ceil(sum(indices) * constants.BIGINT_DTYPE) * copies;
}

function keepShare(device: DeviceMemory, percentage: number): DeviceMemory {
  return { ...device, hbmBytes: Math.trunc((1 - percentage) * device.hbmBytes) };
}

function subtractHbm(device: DeviceMemory, bytes: number): DeviceMemory {
  return { ...device, hbmBytes: Math.max(0, device.hbmBytes - bytes) };
}

/** From HBM on a GPU or MTIA, from host memory on the CPU, from nothing on a TPU. */
function subtract(device: DeviceMemory, bytes: readonly number[], computeDevice: ComputeDevice): DeviceMemory {
  if (computeDevice === "cpu") return { ...device, hostBytes: device.hostBytes - sum(bytes) };
  if (computeDevice === "tpu") return device;
  return { ...device, hbmBytes: device.hbmBytes - sum(bytes) };
}

function requireHbm(first: DeviceMemory | undefined, isEnough: (hbmBytes: number) => boolean): void {
  if (first === undefined || isEnough(first.hbmBytes)) return;
  throw tooLittle(first.hbmBytes, "HBM", 0);
}

/** Throws {@link InputError} where a rank is left with less than nothing. */
export function requireMemory(devices: readonly DeviceMemory[]): void {
  for (const [rank, { hbmBytes, hostBytes }] of devices.entries()) {
    if (hbmBytes < 0) throw tooLittle(hbmBytes, "HBM", rank);
    if (hostBytes < 0) throw tooLittle(hostBytes, "host memory", rank);
  }
}

function tooLittle(bytes: number, memory: string, rank: number): InputError {
  return new InputError(
    `expected a reservation that leaves memory for tables, received one that leaves ${bytes} bytes of ${memory} on rank ${rank}; reserve less, or use devices with more`,
  );
}
