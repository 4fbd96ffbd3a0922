/** Where a study can be submitted to. */
export const SUBMIT_TARGETS = ["local", "parallel", "slurm"] as const;
