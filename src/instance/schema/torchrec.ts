import { z } from "zod";
import { notNegative } from "./fields.js";
import { wholeBytes as bytes } from "./quantities.js";

/** What an instance and a TorchRec problem file say alike of TorchRec, in its own names. */

/** Whether the release is a known one is checked where its costs are. */
export const torchrecVersion = z
  .union([z.number(), z.string()])
  .describe('release of TorchRec whose costs apply, such as 1.1 or "1.7.0"; the newest known one where missing');

const percentage = z.number().min(0).max(1).describe("share of HBM, from 0 to 1");
const parameters = bytes("bytes of the model's parameters, the tables' left out").optional();
const buffers = bytes("bytes of the model's buffers, the tables' left out").optional();
const estimate = bytes("bytes of the dense model as measured; computed from its parameters where missing").optional();
const dense = { dense_parameter_bytes: parameters, dense_buffer_bytes: buffers, dense_tensor_estimate: estimate };
const multiplier = notNegative("bytes per byte of a parameter, with its gradient and optimizer").default(6);

/** The storage reservations of TorchRec's planner, by its own arguments. */
export const torchrecReservation = z
  .discriminatedUnion("policy", [
    z.strictObject({
      policy: z.literal("heuristical"),
      percentage: percentage.default(0.15),
      parameter_multiplier: multiplier,
      ...dense,
    }),
    z.strictObject({ policy: z.literal("fixed_percentage"), percentage }),
    z.strictObject({ policy: z.literal("fixed_absolute"), hbm_reserved_bytes: bytes("bytes of HBM") }),
    z.strictObject({ policy: z.literal("inference"), percentage, ...dense }),
    z.strictObject({
      policy: z.literal("sku_aware"),
      margin_bytes: bytes("bytes of HBM kept free").prefault(0),
      runtime_overhead_bytes: bytes("bytes of HBM of driver, NCCL and allocator").prefault(0),
      model_base_bytes: bytes("bytes of HBM in the place of margin and dense model").optional(),
      parameter_multiplier: multiplier,
      ...dense,
    }),
  ])
  .describe("what TorchRec's storage reservation keeps back of every rank's memory");

export type TorchrecReservationInput = z.output<typeof torchrecReservation>;

export const torchrecRunnable = z
  .boolean()
  .default(true)
  .describe("what TorchRec cannot run is no option; false: all that its estimators price");

export const torchrecCountVirtual = z
  .boolean()
  .default(false)
  .describe("what virtual tables hold in host memory and on SSDs counts, which TorchRec's planner takes for nothing");
