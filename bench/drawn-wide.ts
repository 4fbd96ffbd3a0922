/** Instances of table placement with more devices than most: what each has to do by device shows there. */

/**
 * As many tables as are asked for, each whole on a device with a copy of its hot rows on all, or cut over all of them: an
 * instance's text.
 */
export function wideInstance({ tables, nodes }: { readonly tables: number; readonly nodes: number }): string {
  const gpusPerNode = 8;
  return JSON.stringify({
    ...{
      shardproof: 1,
      name: `wide-${tables}x${nodes * gpusPerNode}`,
      problem: "table-placement",
      costModel: "options",
    },
    cluster: { nodes, gpusPerNode, hbmBytesPerGpu: 1000 },
    tables: Array.from({ length: tables }, (_, t) => ({
      name: `t${t}`,
      options: [
        {
          ...{ shardingType: "table_wise", partitionBy: "device", shards: [[1, { cost: 1 + (t % 30), hbmBytes: 1 }]] },
          hot: { rows: 1, need: { cost: 0.1, hbmBytes: 1 } },
        },
        { shardingType: "row_wise", partitionBy: "uniform", shards: [[nodes * gpusPerNode, { cost: 0.5 }]] },
      ],
    })),
  });
}

/** Small tables under TorchRec's cost model, on groups of any size: an instance's text. */
export function wideGroups({ tables, nodes }: { readonly tables: number; readonly nodes: number }): string {
  return JSON.stringify({
    ...{ shardproof: 1, name: `groups-${tables}x${nodes * 8}`, problem: "table-placement", costModel: "torchrec" },
    cluster: { nodes, gpusPerNode: 8, hbmBytesPerGpu: 1e9, hostBytesPerGpu: 1e9 },
    torchrec: { batch_size: 64 },
    groups: { sizes: "all" },
    tables: Array.from({ length: tables }, (_, t) => ({ name: `t${t}`, num_embeddings: 1000, embedding_dim: 64 })),
  });
}
