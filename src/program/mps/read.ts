import { InputError, placeAt } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { parseDirective } from "../directives.js";
import { type Directive, finishDraft } from "../draft.js";
import type { Program } from "../program.js";
import { Notes } from "../reading/notes.js";
import type { ReadingOptions, ReadModel } from "../reading/read-model.js";
import { draftOf } from "./assemble.js";
import { type Field, type MpsLine, mpsLines, type Names, withoutComment } from "./lines.js";
import { expected, type Fields, inputError, MpsModel, note } from "./model.js";
import {
  readBound,
  readColumn,
  readObjectiveName,
  readRange,
  readRhs,
  readRow,
  readSense,
  senseOf,
} from "./sections.js";

const NOTHING: Names = new Set();

interface SectionRule {
  /** `onHeader`: the fields stand on the line of the section's header. */
  readonly read: (model: MpsModel, fields: Fields, onHeader?: boolean) => void;
  /** The section that must have come before. */
  readonly after?: string;
  /** The names that a field behind the second may be: what looks like a comment and is none. Absent: there is no comment. */
  readonly names?: (model: MpsModel) => Names;
}

/** How each section reads a line of data. */
const SECTIONS = new Map<string, SectionRule>([
  ["OBJSENSE", { read: readSense }],
  ["OBJNAME", { read: readObjectiveName }],
  ["ROWS", { read: readRow, names: () => NOTHING }],
  ["COLUMNS", { read: readColumn, after: "ROWS", names: ({ rowIndex }) => rowIndex }],
  ["RHS", { read: readRhs, after: "COLUMNS", names: ({ rowIndex }) => rowIndex }],
  ["RANGES", { read: readRange, after: "COLUMNS", names: ({ rowIndex }) => rowIndex }],
  ["BOUNDS", { read: readBound, after: "COLUMNS", names: ({ columnIndex }) => columnIndex }],
]);

const ON_HEADER = new Set(["OBJSENSE", "OBJNAME"]);

/** Known to other programs, beyond a linear mixed-integer program here. */
const UNSUPPORTED =
  /^(SOS[12]?|SETS|QUADOBJ|QMATRIX|QSECTION|QCMATRIX|CSECTION|INDICATORS|DELAYEDROWS|LAZYCONS|USERCUTS|GENCONS|PWL\w*|SCENARIOS|MULTIOBJ|REFROW|MODELCUTS)$/;

/** Advice on branching, of which the program is independent. */
const ADVICE = /^(IMPORTANCES?|PRIORIT(Y|IES)|BRANCH\w*|DIRECTIVES?)$/;

const BLANK_FIRST = "; lines of data begin with a blank";

/** Where a second file, or a part that went astray, would begin. */
const PROGRAM_PART = new Set(["NAME", "ENDATA", ...SECTIONS.keys()]);

/**
 * Reads an MPS file, free format or fixed; where the fields are not divided by blanks, those of fixed format are told by their
 * places, so that names may hold blanks.
 * Every number is the exact decimal that is written: `0.1` is one tenth.
 *
 * Conventions, where programs differ:
 * - The first N row is the objective unless OBJNAME names another; the other N rows are kept as rows without bounds
 *   (and their right-hand sides, which mean nothing, are skipped). The objective's right-hand side is its constant,
 *   negated.
 * - A range R: L rows become [rhs − |R|, rhs], G rows [rhs, rhs + |R|], E rows [rhs, rhs + R] for R ≥ 0 and
 *   [rhs + R, rhs] for R < 0.
 * - Columns are [0, +∞) until bounded, but an integer column of a MARKER block without any line in BOUNDS is [0, 1]: the
 *   classic convention (HiGHS, CPLEX, SAS), which some programs do not follow. A note says how many there are;
 *   {@link writeMps} writes the bounds of every integer column.
 * - A negative UP (or UI) needs a lower bound beside it: without one, it is 0 in some programs and −∞ in others.
 * - MI leaves the upper bound alone. A bound of absolute value 1e30 or more, or `inf`, `infinity`, is no bound.
 * - `*` in the first column begins a comment, and so does a field with `$` or `*` in front where a line is complete.
 * - What stands after ENDATA is skipped with a note, unless it is a section of a program.
 * - Names of the RHS, RANGES and BOUNDS sets may be left out; a second set is refused, as is any second value for the
 *   same coefficient, right-hand side, range or side of a column.
 *
 * Comments written by {@link writeMps} restore what MPS cannot say, see `parseDirective`.
 *
 * @param file named in errors
 * @throws InputError with file, line and column for anything malformed or unsupported
 */
export function readMps(text: string, file = "<mps>", options: ReadingOptions = {}): Program {
  return readMpsModel(text, file, options).program;
}

/** {@link readMps} with the reader's notes. */
export function readMpsModel(text: string, file: string, options: ReadingOptions = {}): ReadModel {
  try {
    return readLines(mpsLines(text), text, file, options);
  } catch (error) {
    const byPlaces = error instanceof InputError ? readByPlaces(text, file, options) : null;
    if (byPlaces === null) throw error;
    return byPlaces;
  }
}

/** A file of fixed format that blank-separated fields make no sense of: names may hold blanks. `null` where it is none. */
function readByPlaces(text: string, file: string, options: ReadingOptions): ReadModel | null {
  const blanks: Field[] = [];
  try {
    const { program, notes } = readLines(fixedLines(text, blanks), text, file, options);
    const [first] = blanks;
    if (first === undefined) return null;
    const all = new Notes();
    for (const { code, line, text } of notes) all.add(code, line, text);
    const read = `"${shown(first.text)}" is one name with blanks, as fields are told by their columns`;
    all.add("names-with-blanks", first.line, `${read}; GLPK and CBC remove blanks, SCIP writes _`);
    return { program, notes: all.list() };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

function readLines(lines: Iterable<MpsLine>, text: string, file: string, options: ReadingOptions): ReadModel {
  const model = new MpsModel(file, options);
  const directives: Directive[] = [];
  const reading: Reading = { section: "", seen: new Set(), ended: undefined, after: 0 };
  for (const line of lines) {
    if (line.kind === "comment") {
      const directive = parseDirective(line.text, file, () => line.place);
      if (directive) directives.push(directive);
    } else if (reading.ended) skipAfterEnd(model, reading, line.fields[0]);
    else if (line.kind === "section" && !(reading.section === "OBJSENSE" && senseOf(line.fields[0].text))) {
      openSection(model, reading, line.fields);
    } else {
      if (line.isTabbed === true) {
        note(model, "tab-first", line.fields[0], "the line begins with a tab; lp_solve skips such lines");
      }
      readData(model, reading, line.fields);
    }
  }
  const { ended } = reading;
  if (!ended) {
    throw new InputError(
      "expected ENDATA, found the end of the file; the file is cut off, or add ENDATA",
      file,
      placeAt(text, text.length),
    );
  }
  if (reading.after > 0) note(model, "lines-after-end", ended, `${linesText(reading.after)} after ENDATA skipped`);
  const program = finishDraft(draftOf(model, ended), directives);
  return { program, notes: model.notes.list() };
}

/** How far the reading has come. */
interface Reading {
  section: string;
  /** The header of an unsupported section that has been empty so far. */
  unsupported?: Field | undefined;
  /** The header of a section that says nothing of the program, and its lines so far. */
  advice?: { readonly header: Field; lines: number } | undefined;
  readonly seen: Set<string>;
  ended: Field | undefined;
  /** Lines after ENDATA. */
  after: number;
}

function readData(model: MpsModel, reading: Reading, fields: Fields): void {
  const [first] = fields;
  if (reading.unsupported) {
    const { unsupported } = reading;
    const found = `found ${unsupported.text.toUpperCase()}, which is not supported; remove or reformulate it`;
    throw inputError(model, unsupported, `expected a section of a linear mixed-integer program, ${found}`);
  }
  if (reading.advice) {
    reading.advice.lines++;
    return;
  }
  const reader = SECTIONS.get(reading.section);
  if (!reader) throw expected(model, first, "a section such as ROWS", "; begin the file with NAME");
  try {
    reader.read(model, reader.names === undefined ? fields : withoutComment(fields, 2, reader.names(model)));
  } catch (error) {
    if (!(error instanceof InputError) || !first.text.startsWith("*")) throw error;
    throw new InputError(`${error.said} (a line of comment has its * in the first column)`, model.file, error.place);
  }
}

/** What follows ENDATA is no part of the program, unless it looks like one. */
function skipAfterEnd(model: MpsModel, reading: Reading, first: Field): void {
  if (first.column === 1 && PROGRAM_PART.has(first.text.toUpperCase())) {
    throw expected(model, first, "nothing of the program after ENDATA", "; remove it, or move ENDATA to the end");
  }
  reading.after++;
}

function closeAdvice(model: MpsModel, { advice }: Reading): void {
  if (!advice || advice.lines === 0) return;
  const what = `${linesText(advice.lines)} of ${advice.header.text.toUpperCase()} skipped`;
  note(model, "section-skipped", advice.header, `${what}: advice on branching, no part of the program`);
}

function linesText(count: number): string {
  return `${count} line${count === 1 ? "" : "s"}`;
}

/** Reads a section's header line. */
function openSection(model: MpsModel, reading: Reading, written: Fields): void {
  const { seen } = reading;
  const fields = written[0].text.toUpperCase() === "NAME" ? written : withoutComment(written, 1, NOTHING);
  const [header, argument] = fields;
  const section = header.text.toUpperCase();
  const rule = SECTIONS.get(section);
  closeAdvice(model, reading);
  reading.section = section;
  reading.unsupported = UNSUPPORTED.test(section) ? header : undefined;
  reading.advice = ADVICE.test(section) ? { header, lines: 0 } : undefined;
  if (reading.unsupported || reading.advice) return;
  if (!rule && section !== "NAME" && section !== "ENDATA") {
    const what = "a section (NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA)";
    throw expected(model, header, what, BLANK_FIRST);
  }
  if (seen.has(section))
    throw inputError(model, header, `expected each section once, found ${section} again; merge the two`);
  const missing = section === "ENDATA" ? ["ROWS", "COLUMNS"].find((name) => !seen.has(name)) : rule?.after;
  if (missing !== undefined && !seen.has(missing)) {
    const found = "found none; add it or reorder the sections";
    throw inputError(model, header, `expected the section ${missing} before ${section}, ${found}`);
  }
  if (section !== "COLUMNS" && model.integerBlock && seen.has("COLUMNS")) {
    const text = "'INTORG' has no 'INTEND': all columns after it are integer; lp_solve takes none for integer";
    note(model, "marker-open", model.integerBlock, text);
    model.integerBlock = undefined;
  }
  if (seen.has("OBJSENSE") && !model.sense) {
    throw inputError(model, header, `expected MAX or MIN after OBJSENSE, found ${section}; add one of them`);
  }
  if (fields.length < written.length) {
    note(model, "header-comment", header, `a comment stands behind ${section}; HiGHS takes another program`);
  }
  if (section === "NAME" && seen.has("ROWS")) {
    note(model, "name-late", header, "NAME comes behind ROWS; CBC takes other variables");
  }
  seen.add(section);
  model.firstSection ??= header;
  if (section === "NAME") {
    model.hasName = true;
    const words = fields.slice(1).map((field) => field.text);
    if (words.length > 1 && words.at(-1)?.toUpperCase() === "FREE") words.pop();
    model.name = words.join(" ");
  } else if (argument && rule && ON_HEADER.has(section)) {
    rule.read(model, [argument, ...fields.slice(2)], true);
  } else if (argument) {
    throw expected(model, argument, `nothing after ${section}`, BLANK_FIRST);
  }
  if (section === "RHS") {
    model.rhsSection = header;
    if (seen.has("RANGES")) {
      const text = "RHS comes after RANGES, which are kept; HiGHS loses ranges, GLPK and CBC refuse the file";
      note(model, "ranges-before-rhs", header, text);
    }
  }
  if (section === "ENDATA") reading.ended = header;
}

/** Where the six fields of a line of fixed MPS begin and end, from 0. */
const PLACES = [
  [1, 3],
  [4, 12],
  [14, 22],
  [24, 36],
  [39, 47],
  [49, 61],
] as const;

/**
 * The lines of an MPS file of fixed format, where the places on the line tell the fields and a name may hold blanks; such
 * names are added to `blanks`. A line of data with something between its fields is left as blanks divide it.
 */
function* fixedLines(text: string, blanks: Field[]): Generator<MpsLine> {
  const contents = text.split("\n");
  for (const line of mpsLines(text)) {
    const [first] = line.kind === "data" ? line.fields : [undefined];
    const fields =
      first === undefined ? null : fieldsByPlace((contents[first.line - 1] as string).trimEnd(), first.line);
    if (fields === null) yield line;
    else {
      blanks.push(...fields.filter((field) => /\s/.test(field.text)));
      yield { kind: "data", fields };
    }
  }
}

function fieldsByPlace(content: string, line: number): readonly [Field, ...Field[]] | null {
  const fields: Field[] = [];
  let reached = 0;
  for (const [start, end] of PLACES) {
    if (content.slice(reached, start).trim() !== "") return null;
    const written = content.slice(start, end);
    const textOf = written.trim();
    if (textOf !== "") fields.push({ text: textOf, line, column: start + written.indexOf(textOf) + 1 });
    reached = end;
  }
  if (content.slice(reached).trim() !== "") return null;
  const [first, ...others] = fields;
  return first === undefined ? null : [first, ...others];
}
