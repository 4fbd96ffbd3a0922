/**
 * The page's own script, plain and small: it hands out the plan files that the page holds, shows what a mark of a chart is
 * where one points, sorts and filters tables, marks the shards of the table that one points at, opens what is folded while the
 * page is printed, and tells a page that holds this one how high it is. Without it everything else of the page is there.
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
  let marked = "";
  const markShards = (names) => {
    if (names.join() === marked) return;
    marked = names.join();
    const isOwn = (label) => names.some((name) => [",", "#", ":"].some((end) => label.startsWith(name + end)));
    for (const svg of document.querySelectorAll(".charts svg[role=img]")) {
      let any = false;
      for (const each of svg.querySelectorAll("[aria-label]")) {
        const own = isOwn(each.getAttribute("aria-label"));
        each.classList.toggle("own", own);
        any = any || own;
      }
      svg.classList.toggle("pointed", any);
    }
  };
  for (const table of document.querySelectorAll("table.leads")) {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    let [wanted, all] = ["", rows.length <= 30];
    const bar = document.createElement("p");
    bar.className = "bar";
    const filter = document.createElement("input");
    filter.type = "search";
    filter.placeholder = "Filter";
    filter.setAttribute("aria-label", "Filter: " + table.caption.textContent);
    const more = document.createElement("button");
    const note = document.createElement("span");
    note.className = "muted";
    note.setAttribute("role", "status");
    const draw = () => {
      const found = rows.filter((row) => row.textContent.toLowerCase().includes(wanted));
      for (const row of rows) row.hidden = true;
      for (const row of all ? found : found.slice(0, 24)) row.hidden = false;
      more.hidden = all || found.length <= 24;
      more.textContent = "Show all " + found.length;
      note.textContent = found.length === rows.length ? rows.length + " lines" : found.length + " of " + rows.length + " lines";
    };
    filter.addEventListener("input", () => {
      wanted = filter.value.trim().toLowerCase();
      draw();
      markShards(filtered());
    });
    // Few rows that somebody filtered out are as good as pointed at.
    const filtered = () => {
      const names = wanted === "" ? [] : rows.filter((row) => !row.hidden).map((row) => row.dataset.about);
      return names.length > 4 ? [] : names.filter((name) => name !== undefined);
    };
    body.addEventListener("pointerover", (event) => {
      const about = event.target.closest("tr").dataset.about;
      markShards(about === undefined ? filtered() : [about]);
    });
    body.addEventListener("pointerleave", () => markShards(filtered()));
    more.addEventListener("click", () => {
      all = true;
      draw();
    });
    bar.append(filter, more, note);
    if (rows.length > 6) table.parentElement.before(bar);
    const keyOf = (row, column) => {
      const cell = row.cells[column];
      const data = cell.querySelector("data");
      const text = cell.textContent.trim();
      const number = data ? Number(data.value) : /^[-−+]?[\\d.,]+/.test(text) ? Number.parseFloat(text.replace("−", "-").replaceAll(",", "")) : NaN;
      return [number, text];
    };
    for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const falls = head.getAttribute("aria-sort") !== "descending" && head.classList.contains("number")
          || head.getAttribute("aria-sort") === "ascending";
        for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", falls ? "descending" : "ascending");
        const keys = new Map(rows.map((row) => [row, keyOf(row, column)]));
        rows.sort((a, b) => {
          const [[x, one], [y, other]] = [keys.get(a), keys.get(b)];
          const order = Number.isNaN(x) || Number.isNaN(y)
            ? Number.isNaN(x) - Number.isNaN(y) || one.localeCompare(other, "en", { numeric: true })
            : x - y;
          return falls ? -order : order;
        });
        body.append(...rows);
        draw();
      });
    }
    draw();
  }
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details.box:not([open])")) {
      fold.open = true;
      fold.dataset.printed = "";
    }
  });
  addEventListener("afterprint", () => {
    for (const fold of document.querySelectorAll("details[data-printed]")) {
      fold.open = false;
      delete fold.dataset.printed;
    }
  });
  if (parent !== window) {
    const tell = () => parent.postMessage({ height: document.documentElement.offsetHeight }, "*");
    new ResizeObserver(tell).observe(document.documentElement);
  }
  document.addEventListener("pointermove", show);
  document.addEventListener("pointerdown", show);
})();
`;
