/** Element types and their bytes per element. */
export const ELEMENT_BYTES = { fp32: 4, fp16: 2, bf16: 2, fp8: 1, int8: 1 } as const;

export type DataType = keyof typeof ELEMENT_BYTES;
