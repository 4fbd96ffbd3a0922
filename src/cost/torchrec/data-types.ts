/** Bits per element of TorchRec's `DataType` (torchrec/modules/embedding_configs.py, `DATA_TYPE_NUM_BITS`). */
export const DATA_TYPE_BITS = {
  FP32: 32,
  FP16: 16,
  BF16: 16,
  FP8: 8,
  NFP8: 8,
  INT64: 64,
  INT32: 32,
  INT8: 8,
  UINT8: 8,
  INT4: 4,
  INT2: 2,
} as const;
export type TorchrecDataType = keyof typeof DATA_TYPE_BITS;

/** Bytes per element of a table's output; below 1 for the types that pack several into a byte. */
export function outputBytes(type: TorchrecDataType): number {
  return DATA_TYPE_BITS[type] / 8;
}

/**
 * Bytes per element of a table's weights (`Tensor.element_size()`). Collections that are not quantised hold all types but
 * FP32 as FP16 (torchrec/modules/embedding_modules.py); in quantised ones INT4 and INT2 are held in bytes.
 */
export function elementBytes(type: TorchrecDataType, isQuantised: boolean): number {
  if (!isQuantised) return type === "FP32" ? 4 : 2;
  return Math.max(1, DATA_TYPE_BITS[type] / 8);
}
