import { z } from "zod";
import { type DataType, ELEMENT_BYTES } from "../data-type.js";

// A schema reads one file: what zod would compile for it takes longer than the reading.
z.config({ jitless: true });

/** Every field carries a description: the JSON Schema shows it, and messages use it to say what is wanted. */

/** An integer of at least 1 and at most 2^53 − 1. */
export const positiveInteger = (description: string) => z.int().min(1).describe(description);

/** A finite number above 0. */
export const positive = (description: string) => z.number().gt(0).describe(description);

/** A finite number of at least 0. */
export const notNegative = (description: string) => z.number().min(0).describe(description);

export const text = (description: string) => z.string().min(1).describe(description);

export const elementType = z.enum(Object.keys(ELEMENT_BYTES) as [DataType, ...DataType[]]).default("fp32");
