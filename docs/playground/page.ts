import type { BrowserReply } from "../../src/browser/protocol.js";
import { formatByName, formatByText, type ProgramFormat } from "../../src/program/read-program.js";
import { element } from "./elements.js";
import { LIMITS } from "./limits.js";
import { linkedText, linkTo } from "./link.js";
import { Search } from "./search.js";
import { clearAnswer, showAnswer, showFailure, showReport } from "./show-answer.js";

/** An instance or a program that the page holds. */
interface Example {
  readonly name: string;
  /** What it is, in a sentence. */
  readonly about: string;
  readonly group: string;
  readonly text: string;
}

const PASTED = "instance.yaml";

const text = element<HTMLTextAreaElement>("text");
const choice = element<HTMLSelectElement>("example");
const examples: readonly Example[] = JSON.parse(element("examples").textContent ?? "");
let name = PASTED;
let search: Search | undefined;

function take(newName: string, newText: string): void {
  name = newName;
  element("name").textContent = newName;
  element("about").textContent = "";
  text.value = newText;
  element("failure").hidden = true;
}

function offerExamples(): void {
  for (const group of new Set(examples.map((example) => example.group))) {
    const list = document.createElement("optgroup");
    list.label = group;
    for (const [k, example] of examples.entries()) {
      if (example.group === group) list.append(new Option(example.name.replace(/\.yaml$/, ""), String(k)));
    }
    choice.append(list);
  }
  const own = new Option("your own", "");
  own.hidden = true;
  choice.append(own);
  choice.addEventListener("change", takeExample);
  takeExample();
}

function takeExample(): void {
  const example = examples[Number(choice.value)];
  if (example === undefined) return;
  take(example.name, example.text);
  element("about").textContent = example.about;
}

async function takeFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  clearAnswer();
  if (file.size > LIMITS.text) return showFailure(tooLong(file.name, file.size));
  choice.value = "";
  take(file.name, await file.text());
}

/** Takes the instance that the page's address carries. */
async function takeLink(): Promise<void> {
  const linked = await linkedText(location.hash).catch(() => null);
  if (linked === null) return;
  // A few letters may unpack to very many.
  if (linked.text.length > LIMITS.text) return showFailure(tooLong(linked.name, linked.text.length));
  choice.value = "";
  take(linked.name, linked.text);
}

async function copyLink(): Promise<void> {
  const hash = await linkTo({ name, text: text.value });
  if (hash === null) return showFailure(`${name}: too long for a link; send the file`);
  history.replaceState(null, "", hash);
  const note = element("linked");
  note.textContent = await navigator.clipboard.writeText(location.href).then(
    () => "copied; the address of this page has it too",
    () => "the address of this page has it now",
  );
}

function tooLong(what: string, size: number): string {
  return `${what}: expected a text of at most ${LIMITS.text} bytes, received ${size}; plan it with the command line`;
}

/** A program's format; `null` of an instance. What was pasted over a file may be another kind than its name says. */
function formatOf(written: string): ProgramFormat | null {
  const isInstance = /^\s*["']?shardproof["']?\s*:|^\s*\{/m.test(written);
  return isInstance ? null : (formatByText(written) ?? formatByName(name));
}

async function solve(): Promise<void> {
  clearAnswer();
  if (text.value.length > LIMITS.text) return showFailure(tooLong(name, text.value.length));
  const started = performance.now();
  let parts: readonly string[] = [];
  const showProgress = () => {
    const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    element("progress").textContent = [seconds, ...parts].join("  ·  ");
  };
  const clock = setInterval(showProgress, 100);
  const current = new Search();
  search = current;
  setBusy(true);
  const over = () => {
    clearInterval(clock);
    if (search !== current) return;
    search = undefined;
    setBusy(false);
    element("progress").textContent = "";
  };
  const onReply = (reply: BrowserReply) => {
    if (search !== current) return;
    if (reply.type === "progress") parts = isCancelled ? parts : reply.parts;
    else if (reply.type === "answer") {
      showAnswer(reply);
      element("cancel").textContent = "Leave out the report";
      element("answer").scrollIntoView({ block: "nearest" });
      parts = ["checking the plan and drawing the report"];
    } else if (reply.type === "report") showReport(reply);
    else if (reply.type === "failure") showFailure(reply.isInput ? reply.message : `${reply.message} (${FAULT})`);
    else over();
  };
  let isCancelled = false;
  element("cancel").textContent = "Cancel";
  element("cancel").onclick = () => {
    const hasAnswer = !element("answer").hidden;
    const last = parts.length === 0 ? "" : `; so far, not proved: ${parts.join(", ")}`;
    if (!hasAnswer && !isCancelled && current.cancel()) {
      isCancelled = true;
      parts = ["ending with the best plan so far, and what is proved of it"];
      element("cancel").textContent = "End without it";
      return;
    }
    current.end();
    over();
    // What the search had is its own word.
    const said = isCancelled ? "cancelled" : `cancelled${last}`;
    element("progress").textContent = hasAnswer ? "the report was left out" : said;
  };
  const timeLimitSeconds = element<HTMLInputElement>("seconds").valueAsNumber;
  const format = formatOf(text.value);
  await current.start({ file: name, text: text.value, ...(format && { format }), timeLimitSeconds }, onReply);
}

const FAULT = "this is a fault of shardproof: please report it with its input";

function setBusy(isBusy: boolean): void {
  element<HTMLButtonElement>("solve").disabled = isBusy;
  element("cancel").hidden = !isBusy;
}

offerExamples();
void takeLink();
text.addEventListener("input", () => {
  const format = formatOf(text.value);
  if (choice.value === "" && formatByName(name) === format) return;
  choice.value = "";
  if (format === null) name = PASTED;
  else if (formatByName(name) !== format) name = `program.${format}`;
  element("name").textContent = name;
  element("about").textContent = "";
});
element<HTMLFormElement>("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (search === undefined) void solve();
});
element("link").addEventListener("click", () => void copyLink());
const picker = element<HTMLInputElement>("file");
element("open").addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
  void takeFile(picker.files?.[0]);
  picker.value = "";
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("drop");
});
document.addEventListener("dragleave", () => document.body.classList.remove("drop"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("drop");
  void takeFile(event.dataTransfer?.files[0]);
});
