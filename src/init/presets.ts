/** A cluster whose numbers somebody has published. */
export interface Preset {
  readonly name: string;
  /** Where the numbers are from, and which of them are choices. */
  readonly source: string;
  readonly nodes: number;
  readonly gpusPerNode: number;
  /** All of a GPU's HBM. */
  readonly hbmBytes: number;
  /** Of a GPU to the other nodes, and to those of its own, in one direction: bytes per second. */
  readonly network: number;
  readonly nvlink: number;
  /** All-reduce over all GPUs and between the nodes, where measured: bytes of parameters per second. */
  readonly allReduce?: { readonly global: number; readonly cross: number };
}

/** FlexShard takes an all-reduce to be so many times as fast as the all-to-all. */
const ALL_REDUCE = 3;

/** A ring's all-reduce sends every byte twice. */
const RING = 2;

const gbps = (value: number) => (value * 1e9) / 8;

const DMT = "DMT (Luo et al., MLSys 2024), table 1, rates of the links";

export const PRESETS: readonly Preset[] = [
  {
    name: "flexshard-a100",
    source:
      "FlexShard (Sethi et al., 2023): 4 nodes of 8 A100 of 40 GB; collectives as measured, implied by the times of its table 6",
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 40e9, network: 25.3e9, nvlink: 79e9 },
    allReduce: { global: 75e9, cross: 12e9 },
  },
  {
    name: "dmt-v100",
    source: `${DMT}: 100 Gbps across hosts, 150 GB/s of NVLink; 4 nodes and 32 GB are a choice`,
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 32e9, network: gbps(100), nvlink: 150e9 },
  },
  {
    name: "dmt-a100",
    source: `${DMT}: 200 Gbps across hosts, 300 GB/s of NVLink; 4 nodes and 80 GB are a choice`,
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 80e9, network: gbps(200), nvlink: 300e9 },
  },
  {
    name: "dmt-h100",
    source: `${DMT}: 400 Gbps across hosts, 450 GB/s of NVLink; 4 nodes and 80 GB are a choice`,
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 80e9, network: gbps(400), nvlink: 450e9 },
  },
  {
    name: "hugectr-a100-infiniband",
    source:
      "HugeCTR's hybrid embedding (NVIDIA Merlin): its defaults for InfiniBand 23.75 GB/s, NVLink 190 GB/s, all-reduce 130 GB/s; 4 nodes of 8 GPUs of 80 GB are a choice, between nodes half of InfiniBand",
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 80e9, network: 23.75e9, nvlink: 190e9 },
    allReduce: { global: 130e9, cross: 23.75e9 / RING },
  },
  {
    name: "aws-p4d-ethernet",
    source:
      "AWS's P4d instances (aws.amazon.com/blogs/compute/amazon-ec2-p4d-instances-deep-dive): 8 A100 of 40 GB share 400 Gbps of Ethernet (EFA); NVLink of the A100 as in DMT's table 1; 4 nodes are a choice",
    ...{ nodes: 4, gpusPerNode: 8, hbmBytes: 40e9, network: gbps(400 / 8), nvlink: 300e9 },
  },
  {
    name: "torchrec-defaults",
    source:
      "TorchRec's planner (1.9.0a0), the defaults of its Topology: 600 GiB/s in a host, 12.5 GiB/s between hosts, 32 GiB of HBM; 2 hosts of 8 GPUs are a choice",
    ...{ nodes: 2, gpusPerNode: 8, hbmBytes: 32 * 2 ** 30, network: 12.5 * 2 ** 30, nvlink: 600 * 2 ** 30 },
  },
];

/** Bytes per second per GPU of the collectives of row tiers. */
export function bandwidthOf({ network, nvlink, allReduce }: Preset) {
  return {
    allToAllGlobal: network,
    allToAllIntra: nvlink,
    allReduceGlobal: allReduce?.global ?? ALL_REDUCE * network,
    allReduceCross: allReduce?.cross ?? network / RING,
  };
}
