/// <reference types="vite/client" />

declare module 'virtual:palette.css';

declare module 'virtual:palette.css?inline' {
  const sheet: string;
  export default sheet;
}

declare module 'virtual:pdf-files' {
  /** Where the fonts and decoders lie that pdfjs may need. */
  export const pdfFolder: string;
}
