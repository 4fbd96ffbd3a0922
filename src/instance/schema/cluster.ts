import { z } from "zod";
import { positiveInteger } from "./fields.js";
import { bytesPerSecond, notNegativeSeconds, positiveBytes } from "./quantities.js";

const perCollective = <Field extends z.ZodType>(field: (description: string) => Field, of: string) => ({
  allToAllGlobal: field(`${of} of the all-to-all over all GPUs`).optional(),
  allToAllIntra: field(`${of} of the all-to-all inside a node`).optional(),
  allReduceGlobal: field(`${of} of the all-reduce over all GPUs`).optional(),
  allReduceCross: field(`${of} of the all-reduce between the nodes`).optional(),
  hostToDevice: field(`${of} of the link between a GPU and its host`).optional(),
});

export const clusterSchema = z
  .strictObject({
    nodes: positiveInteger("number of nodes"),
    gpusPerNode: positiveInteger("GPUs of one node"),
    hbmBytesPerGpu: positiveBytes("memory of one GPU, in bytes").optional(),
    hostBytesPerNode: positiveBytes("memory of one node's host, in bytes").optional(),
    bandwidth: z
      .strictObject(perCollective(bytesPerSecond, "bytes per second per GPU"))
      .prefault({})
      .describe("bytes per second per GPU of each collective that the tiers use"),
    latency: z
      .strictObject(perCollective(notNegativeSeconds, "seconds per call"))
      .prefault({})
      .describe("seconds per call of a collective, 0 where not given"),
  })
  .describe("the GPUs and the network between them");
