import { html, Markup, type Part } from './escape.ts';
import { styles } from './styles.ts';

/** A whole page in one file: it runs no script and asks nothing of the network, and its own policy forbids both. */
export function page(title: string, body: Part): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Markup(styles)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return document.source;
}
