/** A generation of GPUs, per GPU and as made: what collectives reach of it is less. */
export interface Hardware {
  readonly name: "V100" | "A100" | "H100";
  readonly year: number;
  /** Floating-point operations per second at most. */
  readonly peakFlopsPerSecond: number;
  /** To other hosts, bytes per second in one direction (the paper prints bits). */
  readonly scaleOutBytesPerSecond: number;
  /** Inside a host, bytes per second in one direction. */
  readonly scaleUpBytesPerSecond: number;
}

const gbit = (amount: number): number => (amount * 1e9) / 8;

/** DMT's table 1. */
export const HARDWARE: readonly Hardware[] = [
  {
    name: "V100",
    year: 2019,
    peakFlopsPerSecond: 15.7e12,
    scaleOutBytesPerSecond: gbit(100),
    scaleUpBytesPerSecond: 150e9,
  },
  {
    name: "A100",
    year: 2022,
    peakFlopsPerSecond: 156e12,
    scaleOutBytesPerSecond: gbit(200),
    scaleUpBytesPerSecond: 300e9,
  },
  {
    name: "H100",
    year: 2023,
    peakFlopsPerSecond: 989e12,
    scaleOutBytesPerSecond: gbit(400),
    scaleUpBytesPerSecond: 450e9,
  },
];
