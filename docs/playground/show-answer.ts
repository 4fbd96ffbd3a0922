import type { BrowserAnswer, BrowserFile, BrowserReply } from "../../src/browser/protocol.js";
import { element, textElement } from "./elements.js";

/** Statuses that are good or bad news to the eye as well; others are neither. */
const MARKS: Readonly<Record<string, string>> = { proved: "good", infeasible: "bad" };

/** Takes what is shown of the last solve off the page. */
export function clearAnswer(): void {
  element("answer").hidden = true;
  element("failure").hidden = true;
  element("checked").replaceChildren();
  element("files").replaceChildren();
  element("waiting").hidden = false;
  const report = element<HTMLIFrameElement>("report");
  report.hidden = true;
  report.removeAttribute("srcdoc");
}

/** The answer, before its report is made. */
export function showAnswer({ answer, plan, terminal }: Extract<BrowserReply, { type: "answer" }>): void {
  element("answer-name").textContent = answer.name;
  showBadge(answer);
  element("facts").replaceChildren(
    ...answer.facts.map(([name, text]) => {
      const fact = document.createElement("div");
      fact.append(textElement("dt", name), textElement("dd", text));
      return fact;
    }),
  );
  element("files").append(download(plan, "application/json"));
  element("terminal").textContent = terminal;
  element("terminal").hidden = terminal === null;
  element("answer").hidden = false;
  element("waiting").hidden = true;
}

function showBadge({ status, standing }: BrowserAnswer): void {
  const badge = element("badge");
  badge.textContent = standing;
  badge.className = `badge ${MARKS[status] ?? ""}`;
}

/** The report, in a frame that can reach neither this page nor anything else. */
export function showReport({ isVerified, page }: Extract<BrowserReply, { type: "report" }>): void {
  const checked = element("checked");
  checked.className = isVerified ? "good" : "bad";
  checked.textContent = isVerified
    ? "Verified: the plan's text was checked again in exact arithmetic, from the instance and the certificate."
    : "The plan failed its check; do not rely on it. The report says what is wrong.";
  element("files").append(download(page, "text/html"));
  const report = element<HTMLIFrameElement>("report");
  report.srcdoc = page.text;
  report.hidden = false;
}

/** The frame is as high as its page says that it is, so that it has no scroll bar of its own. */
addEventListener("message", ({ source, data }: MessageEvent<{ readonly height?: unknown } | null>) => {
  const report = element<HTMLIFrameElement>("report");
  const height = Number(data?.height);
  if (source !== report.contentWindow || !(height > 0 && height < MAX_HEIGHT)) return;
  report.style.height = `${Math.ceil(height)}px`;
});

const MAX_HEIGHT = 1e6;

/** What went wrong, in one line. */
export function showFailure(message: string): void {
  const line = element("failure");
  element("waiting").hidden = true;
  line.textContent = message.replace(/\s*\n\s*/g, " ");
  line.hidden = false;
}

/** How long a URL of a file is kept after it was asked for. */
const KEPT_MILLISECONDS = 60_000;

function download({ name, text }: BrowserFile, type: string): HTMLButtonElement {
  const button = textElement("button", `Download ${name}`);
  button.type = "button";
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MILLISECONDS);
  });
  return button;
}
