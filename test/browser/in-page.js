/**
 * What tests run inside a page: an expression, so that a page whose policy allows no script but its own takes it from the
 * browser's driver. What each is for is said in page-checks.ts.
 */
({
  layoutFaults() {
    const faults = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} px of ${root.clientWidth}`);
    const nameOf = (e) => `${e.localName}.${e.getAttribute("class") ?? ""} "${e.textContent?.trim().slice(0, 30)}"`;
    const isSeen = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 0;
    const moves = (e) => e.closest(".scroll, .drawing, pre, textarea, select") !== null;
    for (const e of document.querySelectorAll("body *")) {
      if (!isSeen(e) || e.closest("svg, .tip") !== null) continue;
      const { overflowY, overflowX } = getComputedStyle(e);
      if (/auto|scroll/.test(overflowY) && e.scrollHeight > e.clientHeight + 1 && e.localName !== "textarea")
        faults.push(`a scroll bar of its own: ${nameOf(e)}`);
      if (overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1) faults.push(`clipped: ${nameOf(e)}`);
      const { left, right } = e.getBoundingClientRect();
      if (!moves(e) && (left < -1 || right > root.clientWidth + 1)) faults.push(`beyond the edge: ${nameOf(e)}`);
    }
    for (const cell of document.querySelectorAll("td, th")) {
      if (!isSeen(cell)) continue;
      const text = document.createRange();
      text.selectNodeContents(cell);
      const wide = text.getBoundingClientRect().right - cell.getBoundingClientRect().right;
      if (wide > 1) faults.push(`${Math.round(wide)} px over the next column: ${nameOf(cell)}`);
    }
    for (const frame of document.querySelectorAll(".tiles, .charts, .multiples, .work, section.plan")) {
      const boxes = [...frame.children].filter(isSeen).map((e) => [e, e.getBoundingClientRect()]);
      for (const [k, [a, one]] of boxes.entries())
        for (const [b, other] of boxes.slice(k + 1)) {
          const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
          const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
          if (wide > 1 && high > 1) faults.push(`one over the other: ${nameOf(a)}, ${nameOf(b)}`);
        }
    }
    return faults;
  },

  faintTexts() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const luminance = (color) => {
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const groundOf = (e) => {
      if (e === null) return getComputedStyle(document.body).backgroundColor;
      const { backgroundColor } = getComputedStyle(e);
      return /^rgba\(.*, 0\)$|transparent/.test(backgroundColor) ? groundOf(e.parentElement) : backgroundColor;
    };
    const faults = /* @__PURE__ */ new Set();
    for (const e of document.querySelectorAll("body *")) {
      const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== "");
      if (!own || !e.checkVisibility() || e.closest("script, style, option, [disabled]") !== null) continue;
      const isDrawn = e.closest("svg") !== null;
      if (isDrawn && e.closest(".role-axis-label, .role-axis-title") === null) continue;
      const style = getComputedStyle(e);
      const [text, ground] = [luminance(isDrawn ? style.fill : style.color), luminance(groundOf(e))];
      const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < (isLarge ? 3 : 4.5)) faults.add(`${contrast.toFixed(2)}: ${e.textContent?.trim().slice(0, 40)}`);
    }
    return [...faults];
  },

  watchFocus() {
    const all = [...document.querySelectorAll("a[href], button, summary, input, select, textarea, .scroll")];
    const seen = all.filter((e) => e.checkVisibility() && !e.disabled);
    for (const e of seen) e.dataset.unreached = "";
    document.addEventListener("focusin", ({ target }) => delete target.dataset.unreached);
    return seen.length;
  },

  async drawn({ urls, times }) {
    const canvases = await Promise.all(
      urls.map(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [Math.round(image.width / times), Math.round(image.height / times)];
        const context = canvas.getContext("2d", { willReadFrequently: true });
        context.imageSmoothingQuality = "high";
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return canvas;
      }),
    );
    const [first, second] = canvases;
    if (second === void 0) return first.toDataURL("image/png");
    if (first.width !== second.width || first.height !== second.height) return 1;
    const [a, b] = [first, second].map(
      (canvas) => canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data,
    );
    let number = 0;
    for (let k = 0; k < a.length; k += 4) {
      const far = [0, 1, 2].some((c) => Math.abs(a[k + c] - b[k + c]) > 40);
      if (far) number++;
    }
    return number / (a.length / 4);
  },
});
