import { DIM, FEATURES } from "./models.js";
import { PUBLISHED } from "./published.js";
import type { FittedModel, SpeedUp, Statement } from "./reproduction.js";
import { LOCAL_BATCH } from "./setting.js";
import { byWidth } from "./time-model.js";

/** What the text says of figures 1 and 10 to 13 and of section 2.3.1, beside the model. */
export function statements(model: FittedModel, all: readonly SpeedUp[]): readonly Statement[] {
  const of = (family: SpeedUp["family"], gpu?: SpeedUp["gpu"]) =>
    all.filter((each) => each.family === family && (gpu === undefined || each.gpu === gpu));
  const most = (values: readonly number[]) => Math.max(...values);
  const h100 = of("DCN", "H100").find(({ ranks }) => ranks === 64) as SpeedUp;
  const gpus = [...new Set(all.map(({ gpu }) => gpu))];
  const at16 = gpus.map((gpu) => (of("DCN", gpu)[0] as SpeedUp).speedUp);
  return [
    number("section 2.3.1", "embeddings of 16K samples in float, up to a power of 2 (MiB)", 1, {
      ours: 2 ** Math.ceil(Math.log2((LOCAL_BATCH * FEATURES * DIM * 4) / 2 ** 20)),
      published: PUBLISHED.embeddingBytes / 2 ** 20,
      unit: "MiB",
    }),
    fitted("figure 1", "share of an iteration spent waiting, DCN on 64 H100", 100, {
      ours: h100.flat.exchange / h100.flat.iteration,
      published: PUBLISHED.waitingShare,
      unit: "share",
    }),
    fitted("figure 13", "compute of DCN on 64 H100, times faster", 10, {
      ours: h100.flat.compute / h100.dmt.compute,
      published: PUBLISHED.figure13.compute,
    }),
    fitted("figure 13", "its exposed embedding communication, times faster", 10, {
      ours: h100.flat.exchange / h100.dmt.exchange,
      published: PUBLISHED.figure13.exchange,
    }),
    number("figure 10", "DLRM, at most times faster", 10, {
      ours: most(of("DLRM").map(({ speedUp }) => speedUp)),
      published: PUBLISHED.figure10.DLRM,
    }),
    number("figure 10", "DCN, at most times faster", 10, {
      ours: most(of("DCN").map(({ speedUp }) => speedUp)),
      published: PUBLISHED.figure10.DCN,
    }),
    number("figure 11", "tower modules over SPTT alone, DLRM, at most", 10, {
      ours: most(of("DLRM").map(({ modules }) => modules)),
      published: PUBLISHED.figure11,
    }),
    number("figure 12", "8T-DLRM of ratio 16 over SPTT alone, at most", 10, {
      ours: most(byWidth(model, 8).map(({ modules }) => modules)),
      published: PUBLISHED.figure12,
    }),
    words(
      "figure 10",
      "DLRM's speed-up rises with the number of GPUs, on every GPU",
      gpus.every((gpu) => isAscending(of("DLRM", gpu).map(({ speedUp }) => speedUp))),
    ),
    words(
      "figure 10",
      "DCN's speed-up is large at small scale: 16 GPUs above all larger worlds, on every GPU",
      gpus.every((gpu) => {
        const [first, ...larger] = of("DCN", gpu).map(({ speedUp }) => speedUp);
        return larger.every((each) => each < (first as number));
      }),
    ),
    words("figure 10", "that is more pronounced on older GPUs", isAscending(at16.toReversed())),
  ];
}

type Numbers = NonNullable<Statement["value"]> & { readonly unit?: Statement["unit"] };

function number(where: string, says: string, digits: number, { unit = "times", ...value }: Numbers): Statement {
  const holds = Math.round(value.ours * digits) === Math.round(value.published * digits);
  return { where, says, value, unit, isFitted: false, holds };
}

function fitted(where: string, says: string, digits: number, value: Numbers): Statement {
  return { ...number(where, says, digits, value), isFitted: true };
}

function words(where: string, says: string, holds: boolean): Statement {
  return { where, says, value: null, unit: "", isFitted: false, holds };
}

function isAscending(values: readonly number[]): boolean {
  return values.every((value, k) => k === 0 || value > (values[k - 1] as number));
}
