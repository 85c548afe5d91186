import DrawnPdf from 'pdfkit';

/**
 * A PDF with what `draw` puts on its first page (and on those it adds): Letter, in points from the upper left corner.
 */
export async function drawnPdf(
  draw: (pdf: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
  const pdf = new DrawnPdf({ size: 'LETTER', margin: 50, ...options });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  pdf.on('end', resolve);
  draw(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
