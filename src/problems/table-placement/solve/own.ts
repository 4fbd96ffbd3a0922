import type { Placement, PlacementChoice } from "../../../../models/table-placement/problem.js";
import { copyOf, fieldsIn, indicesIn, listIn, type OwnDeciding } from "../../own-method.js";
import type { PreparedPlacement } from "./prepared.js";

const TABLES = "a device for each table, such as [0, 3, 1], or {choices: [{option: 0, devices: [3]}, …]}";

/** Methods of one's own for table placement. */
export const ownPlacement: OwnDeciding<PreparedPlacement, Placement> = {
  given: ({ model }) => copyOf(model.problem),
  decisionIn(written) {
    if (Array.isArray(written) || ArrayBuffer.isView(written)) {
      return { choices: indicesIn(written, TABLES).map((device) => ({ option: 0, devices: [device] })) };
    }
    const { choices } = fieldsIn(written, TABLES);
    return { choices: listIn(choices, TABLES).map(choiceIn) };
  },
};

function choiceIn(written: unknown, table: number): PlacementChoice {
  const what = `{option, devices} for the table at index ${table}`;
  const { option, devices } = fieldsIn(written, what);
  const [chosen] = indicesIn([option], `an option's index for the table at index ${table}`);
  return { option: chosen as number, devices: indicesIn(devices, what) };
}
