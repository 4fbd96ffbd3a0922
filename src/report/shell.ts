import { base64 } from "./base64.js";
import { type Html, html, trusted } from "./html.js";
import { SCRIPT } from "./script.js";
import { STYLE } from "./style.js";

/** What a page has beside its frame. */
export interface PageParts {
  readonly title: string;
  /** The command that makes it. */
  readonly generator: string;
  readonly body: Html;
  readonly footer: Html;
}

/**
 * A self-contained page. It asks for nothing from anywhere: styles, the script and all pictures are inside, and its content
 * security policy allows nothing else. The same parts give the same bytes.
 */
export async function pageShell({ title, generator, body, footer }: PageParts): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src '${await hashOf(SCRIPT)}'`,
    `style-src '${await hashOf(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${generator}">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${body}
<footer>${footer}</footer>
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

/** As a content security policy names an inline script or style. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${base64(new Uint8Array(digest))}`;
}
