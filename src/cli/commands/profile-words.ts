/** What options of `profile` can say, for help and completion: their meaning is loaded when the command runs. */
export const DIALECTS = ["duckdb", "spark", "trino", "postgres", "clickhouse"] as const;

export const DATA_TYPES = ["fp32", "fp16", "bf16", "fp8", "int8"] as const;

export const FORMATS = ["csv", "tsv", "json", "parquet", "npy", "arrow"] as const;
