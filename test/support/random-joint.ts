import type { Random } from "../../src/exact/random.js";

/** One of them. */
export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(items.length)] as Item;
}

/** An instance as a user writes it: up to five features on two to four hosts, memory that may be too little. */
export function randomJoint(random: Random) {
  const nodes = 2 + random.integer(3);
  const gpusPerNode = nodes === 2 ? 1 + random.integer(2) : 1;
  const count = 2 + random.integer(nodes * gpusPerNode > 3 ? 3 : 4);
  const interaction = Array.from({ length: count }, () => new Array<number>(count).fill(1));
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      const value = random.next();
      (interaction[i] as number[])[j] = value;
      (interaction[j] as number[])[i] = value;
    }
  }
  const features = Array.from({ length: count }, (_, k) => `f${k}`);
  const tables = features.map((name) => ({
    ...{
      name,
      rows: 12 * (1 + random.integer(2)),
      dim: 1 + random.integer(4),
      dataType: pick(random, ["fp32", "fp16"]),
    },
    poolingFactor: pick(random, [1, 2, 2.5]),
  }));
  const points = [
    [2, 30],
    [4, 20 + random.integer(9)],
    [7, 10],
  ];
  return {
    ...{ shardproof: 1, name: "random", problem: "tower-partition", features, interaction, tables },
    sizeRatio: pick(random, [1, 1.5, 3]),
    objective: pick(random, ["pairwise", "kmeans"]),
    cluster: {
      ...{ nodes, gpusPerNode },
      ...(random.integer(4) === 0 ? {} : { hbmBytesPerGpu: 150 + random.integer(400) }),
      bandwidth: { insideHost: pick(random, [5, 60, 100]), acrossHosts: points },
      latency: { insideHost: pick(random, [0, 3]), acrossHosts: pick(random, [0, 2]) },
    },
    training: { batchPerGpu: 1 + random.integer(9), wireDataType: pick(random, ["fp32", "fp16"]) },
    ...(random.integer(3) === 0 ? { towerModules: { width: 2, perFeature: random.integer(2), perTower: 1 } } : {}),
  };
}

/** Interactions far apart, bytes next to 2⁵³ and memory that a byte decides, links that wait much longer than they carry. */
export function extremeJoint(random: Random) {
  const { tables: some, interaction, cluster, ...instance } = randomJoint(random);
  const far = [0, 1, 0.9, 5e-17, 1e-18, 1e-300];
  interaction.forEach((row, i) => {
    for (let j = 0; j < i; j++) {
      const value = pick(random, far);
      row[j] = value;
      (interaction[j] as number[])[i] = value;
    }
  });
  const tables = some.map((table) => ({
    ...table,
    rows: table.rows * 2 ** 41 - random.integer(2),
    dim: 1 + random.integer(3),
  }));
  const bytes = tables.map(({ rows, dim, dataType }) => rows * dim * (dataType === "fp32" ? 4 : 2));
  const gpus = cluster.nodes * cluster.gpusPerNode;
  const together = bytes.filter(() => random.integer(2) === 0).reduce((sum, own) => sum + own, 0);
  const hbmBytesPerGpu = Math.max(
    1,
    random.integer(3) === 0 ? Math.ceil(bytes.reduce((sum, own) => sum + own, 0) / gpus) : together - random.integer(2),
  );
  const latency = { insideHost: pick(random, [0, 1e-18, 1e12]), acrossHosts: pick(random, [0, 1e-300]) };
  return { ...instance, interaction, tables, cluster: { ...cluster, latency, hbmBytesPerGpu } };
}

/**
 * Memory that is barely enough, if that, for one to two of the large tables on a GPU, which are of few rows; in two towers as a
 * rule. Tables of a size interact, so that the best partition has the large ones together; often loads beside the memory, which
 * allow more or less than that.
 */
export function tightJoint(random: Random) {
  const { tables: some, ...instance } = randomJoint(random);
  const count = 4 + random.integer(3);
  const kinds = [3 + random.integer(3), 1].map((rows) => ({ rows, dim: pick(random, [1, 1, 2]) }));
  const kindOf = Array.from({ length: count }, () => pick(random, [0, 0, 1]));
  const features = kindOf.map((_, k) => `f${k}`);
  const tables = kindOf.map((kind, k) => ({
    ...{ ...some[0], ...kinds[kind], name: `f${k}`, dataType: "fp32", poolingFactor: 1 },
  }));
  const interaction = kindOf.map(() => new Array<number>(count).fill(1));
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      const value = (kindOf[i] === kindOf[j] ? 0.6 : 0.1) + 0.3 * random.next();
      (interaction[i] as number[])[j] = value;
      (interaction[j] as number[])[i] = value;
    }
  }
  const large = 4 * (kinds[0]?.rows ?? 0) * (kinds[0]?.dim ?? 0);
  return {
    ...{ ...instance, features, interaction, tables, sizeRatio: pick(random, [1, 2, 3]) },
    ...(random.integer(6) === 0 ? {} : { towers: 2 }),
    cluster: {
      ...{ ...instance.cluster, nodes: 2, gpusPerNode: 2 },
      hbmBytesPerGpu: Math.ceil(large * pick(random, [1.2, 1.5, 1.5, 2])),
    },
    ...(random.integer(2) === 0
      ? {}
      : { load: features.map(() => 1 + random.integer(3)), loadRatio: pick(random, [1.2, 1.5, 2]) }),
  };
}
