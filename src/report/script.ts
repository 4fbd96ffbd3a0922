/**
 * The page's own script, plain and small: it hands out the plan files that the page holds, shows what a mark of a chart is
 * where one points, and opens what is folded before the page is printed. Without it everything else of the page is there.
 */
export const SCRIPT = `"use strict";
(() => {
  for (const button of document.querySelectorAll("button[data-file]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const held = document.getElementById(button.dataset.file);
      const bytes = Uint8Array.from(atob(held.textContent.trim()), (letter) => letter.charCodeAt(0));
      const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      let file = await new Response(text).blob();
      if (button.dataset.part === "certificate") {
        const { certificate } = JSON.parse(await file.text());
        file = new Blob([JSON.stringify(certificate) + "\\n"]);
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([file], { type: "application/json" }));
      link.download = button.dataset.name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    });
  }
  for (const svg of document.querySelectorAll("svg[role=img]")) {
    // A picture's own title would be shown beside the text of the mark.
    const [title, text] = ["title", "desc"].map((name) => svg.querySelector(":scope > " + name));
    svg.removeAttribute("aria-labelledby");
    svg.removeAttribute("aria-describedby");
    svg.setAttribute("aria-label", title.textContent + ". " + text.textContent);
    title.remove();
    text.remove();
  }
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const show = (event) => {
    const mark = event.target.closest ? event.target.closest("svg [aria-label]") : null;
    tip.hidden = mark === null;
    if (mark === null) return;
    tip.textContent = mark.getAttribute("aria-label");
    const room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.setProperty("left", Math.max(8, Math.min(event.clientX + 12, room)) + scrollX + "px");
    tip.style.setProperty("top", event.clientY + scrollY + 16 + "px");
  };
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
})();
`;
