/**
 * What the console may do: run its own scripts and workers, look as it does, and ask the server that it came from.
 * PDFs need no WebAssembly: what pdfjs does with it, it does in JavaScript where there is none. Workers have the
 * policy of their own file.
 */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
