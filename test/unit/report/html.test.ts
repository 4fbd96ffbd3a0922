import { expect, test } from "vitest";
import { html, trusted } from "../../../src/report/html.js";

test("everything that a template is filled with is escaped", () => {
  const name = `</td><script>alert("1")</script>'&amp;`;
  expect(html`<td title="${name}">${name}</td>`.markup).toBe(
    `<td title="&lt;/td&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;amp;">` +
      "&lt;/td&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;amp;</td>",
  );
});

test("pieces, lists, numbers and nothing", () => {
  const items = ["a<b", "c"].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>${1.5}${null}${trusted("<hr>")}`.markup).toBe(
    "<ul><li>a&lt;b</li><li>c</li></ul>1.5<hr>",
  );
});

test("letters that steer text are shown by their numbers, and lines stay lines", () => {
  expect(html`${"a\u202eb\u0000c\nd"}`.markup).toBe("a\\u202eb\\u0000c\nd");
});
