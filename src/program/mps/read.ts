import { InputError, type Place, placeAt } from "../../errors/input-error.js";
import { parseDirective } from "../directives.js";
import { type Directive, finishDraft } from "../draft.js";
import type { Program } from "../program.js";
import { draftOf } from "./assemble.js";
import { readBound } from "./bounds.js";
import { type Field, mpsLines } from "./lines.js";
import { emptyModel, inputError, type MpsModel } from "./model.js";
import { readColumn, readObjectiveName, readRange, readRhs, readRow, readSense, senseOf } from "./sections.js";

type Fields = readonly [Field, ...Field[]];

/** How each section reads a line of data, and the section that must have come before. */
const SECTIONS = new Map<string, { read: (model: MpsModel, fields: Fields) => void; after?: string }>([
  ["OBJSENSE", { read: readSense }],
  ["OBJNAME", { read: readObjectiveName }],
  ["ROWS", { read: readRow }],
  ["COLUMNS", { read: readColumn, after: "ROWS" }],
  ["RHS", { read: readRhs, after: "COLUMNS" }],
  ["RANGES", { read: readRange, after: "COLUMNS" }],
  ["BOUNDS", { read: readBound, after: "COLUMNS" }],
]);

const ON_HEADER = new Set(["OBJSENSE", "OBJNAME"]);

/** Known to other programs, beyond a linear mixed-integer program here. */
const UNSUPPORTED =
  /^(SOS[12]?|SETS|QUADOBJ|QMATRIX|QSECTION|QCMATRIX|CSECTION|INDICATORS|LAZYCONS|USERCUTS|GENCONS|PWL\w*|SCENARIOS|MULTIOBJ|REFROW|MODELCUTS)$/;

/**
 * Reads an MPS file, free format or fixed format with blanks between the fields; names with blanks are not supported.
 * Every number is the exact decimal that is written: `0.1` is one tenth.
 *
 * Conventions, where programs differ:
 * - The first N row is the objective unless OBJNAME names another; the other N rows are kept as rows without bounds
 *   (and their right-hand sides, which mean nothing, are skipped). The objective's right-hand side is its constant,
 *   negated.
 * - A range R: L rows become [rhs − |R|, rhs], G rows [rhs, rhs + |R|], E rows [rhs, rhs + R] for R ≥ 0 and
 *   [rhs + R, rhs] for R < 0.
 * - Columns are [0, +∞) until bounded. That holds for integer columns of a MARKER block too, where the classic
 *   convention (HiGHS, CPLEX, SAS) is [0, 1] for a column without any bound; {@link writeMps} therefore writes the bounds of
 *   every integer column.
 * - A negative UP (or UI) without a lower bound makes the lower bound −∞, as in CPLEX, HiGHS and SAS; UP 0 leaves it 0.
 * - MI leaves the upper bound alone. A bound of absolute value 1e30 or more, or `inf`, `infinity`, is no bound.
 * - Names of the RHS, RANGES and BOUNDS sets may be left out; a second set is refused, as is any second value for the
 *   same coefficient, right-hand side, range or side of a column.
 *
 * Comments written by {@link writeMps} restore what MPS cannot say, see `parseDirective`.
 *
 * @param file named in errors
 * @throws InputError with file, line and column for anything malformed or unsupported
 */
export function readMps(text: string, file = "<mps>"): Program {
  const model = emptyModel(file);
  const directives: Directive[] = [];
  const seen = new Set<string>();
  let section = "";
  let ended: Place | undefined;
  for (const line of mpsLines(text)) {
    if (line.kind === "comment") {
      const directive = parseDirective(line.text, file, line.place);
      if (directive) directives.push(directive);
      continue;
    }
    const { fields } = line;
    const [first] = fields;
    if (ended) {
      throw inputError(
        model,
        first,
        `expected nothing after ENDATA, found "${first.text}"; remove it, or move ENDATA to the end`,
      );
    }
    if (line.kind === "section" && !(section === "OBJSENSE" && senseOf(first.text))) {
      section = openSection(model, seen, fields);
      if (section === "ENDATA") ended = first;
    } else {
      const reader = SECTIONS.get(section);
      if (!reader)
        throw inputError(
          model,
          first,
          `expected a section such as ROWS, found "${first.text}"; begin the file with NAME`,
        );
      reader.read(model, fields);
    }
  }
  if (!ended) {
    throw new InputError(
      "expected ENDATA, found the end of the file; the file is cut off, or add ENDATA",
      file,
      placeAt(text, text.length),
    );
  }
  return finishDraft(draftOf(model, ended), directives);
}

/** Reads a section's header line and gives the section's name. */
function openSection(model: MpsModel, seen: Set<string>, fields: Fields): string {
  const [header, argument] = fields;
  const section = header.text.toUpperCase();
  const rule = SECTIONS.get(section);
  if (UNSUPPORTED.test(section)) {
    throw inputError(
      model,
      header,
      `expected a section of a linear mixed-integer program, found ${section}, which is not supported; remove or reformulate it`,
    );
  }
  if (!rule && section !== "NAME" && section !== "ENDATA") {
    throw inputError(
      model,
      header,
      `expected a section (NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA), found "${header.text}"; lines of data begin with a blank`,
    );
  }
  if (seen.has(section))
    throw inputError(model, header, `expected each section once, found ${section} again; merge the two`);
  const missing = section === "ENDATA" ? ["ROWS", "COLUMNS"].find((name) => !seen.has(name)) : rule?.after;
  if (missing !== undefined && !seen.has(missing)) {
    throw inputError(
      model,
      header,
      `expected the section ${missing} before ${section}, found none; add it or reorder the sections`,
    );
  }
  if (section !== "COLUMNS" && model.integerBlock && seen.has("COLUMNS")) {
    throw inputError(
      model,
      model.integerBlock,
      "expected 'INTEND' after 'INTORG', found the end of COLUMNS; add the marker",
    );
  }
  if (seen.has("OBJSENSE") && !model.sense) {
    throw inputError(model, header, `expected MAX or MIN after OBJSENSE, found ${section}; add one of them`);
  }
  seen.add(section);
  if (section === "NAME") {
    const words = fields.slice(1).map((field) => field.text);
    if (words.length > 1 && words.at(-1)?.toUpperCase() === "FREE") words.pop();
    model.name = words.join(" ");
  } else if (argument && rule && ON_HEADER.has(section)) {
    rule.read(model, [argument, ...fields.slice(2)]);
  } else if (argument) {
    throw inputError(
      model,
      argument,
      `expected nothing after ${section}, found "${argument.text}"; lines of data begin with a blank`,
    );
  }
  return section;
}
