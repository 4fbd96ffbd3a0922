import type { BrowserReply } from "../../src/browser/protocol.js";
import { formatByName } from "../../src/program/read-program.js";
import { element } from "./elements.js";
import { LIMITS } from "./limits.js";
import { Search } from "./search.js";
import { clearAnswer, showAnswer, showFailure, showReport } from "./show-answer.js";

/** An instance or a program that the page holds. */
interface Example {
  readonly name: string;
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
  if (example !== undefined) take(example.name, example.text);
}

async function takeFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  clearAnswer();
  if (file.size > LIMITS.text) return showFailure(tooLong(file.name, file.size));
  choice.value = "";
  take(file.name, await file.text());
}

function tooLong(what: string, size: number): string {
  return `${what}: expected a text of at most ${LIMITS.text} bytes, received ${size}; plan it with the command line`;
}

/** A text that was pasted over a program is an instance, and the other way round. */
function formatOf(written: string): { readonly format?: "mps" | "lp" } {
  const format = /^\s*["']?shardproof["']?\s*:|^\s*\{/m.test(written) ? null : formatByName(name);
  return format === null ? {} : { format };
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
    if (reply.type === "progress") parts = reply.parts;
    else if (reply.type === "answer") {
      showAnswer(reply);
      parts = ["checking the plan and drawing the report"];
    } else if (reply.type === "report") showReport(reply);
    else if (reply.type === "failure") showFailure(reply.isInput ? reply.message : `${reply.message} (${FAULT})`);
    else over();
  };
  element("cancel").onclick = () => {
    const hasAnswer = !element("answer").hidden;
    current.end();
    over();
    // What the search had is its own word.
    const last = parts.length === 0 ? "" : `; so far, not proved: ${parts.join(", ")}`;
    element("progress").textContent = hasAnswer ? "the report was left out" : `cancelled${last}`;
  };
  const timeLimitSeconds = element<HTMLInputElement>("seconds").valueAsNumber;
  await current.start({ file: name, text: text.value, ...formatOf(text.value), timeLimitSeconds }, onReply);
}

const FAULT = "this is a fault of shardproof: please report it with its input";

function setBusy(isBusy: boolean): void {
  element<HTMLButtonElement>("solve").disabled = isBusy;
  element("cancel").hidden = !isBusy;
}

offerExamples();
text.addEventListener("input", () => {
  if (choice.value !== "") {
    choice.value = "";
    name = formatByName(name) === null ? PASTED : name;
    element("name").textContent = name;
  }
});
element<HTMLFormElement>("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (search === undefined) void solve();
});
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
