import { html, Markup, type Part } from './escape.ts';
import { styles } from './styles.ts';

/**
 * A whole page in one file: it runs no script and asks nothing of the network, and its own policy forbids both.
 * `ownStyles` are rules that only this page needs.
 */
export function page(title: string, body: Part, ownStyles = ''): string {
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
<style>${new Markup(styles + ownStyles)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return document.source;
}
