import type { Dossier, NumberFinding } from '@agonhq/documents';
import type { Truth } from './report.ts';

/** Whether a finding stands on the very cell or sentence where a contradiction was planted. */
export function atRightPlace(finding: Pick<NumberFinding, 'places'>, truth: Truth, { documents }: Dossier): boolean {
  return finding.places.some((place) => {
    const document = documents.find(({ name }) => place.block.startsWith(`${name}#`));
    const block = document?.blocks.find(({ id }) => place.block === `${document.name}#${id}`);
    if (document === undefined || block === undefined) return false;
    if (truth.cell !== undefined) {
      const cell = block.table?.cells.find(
        ({ row, column }) => row === place.cell?.row && column === place.cell.column,
      );
      const row =
        block.table?.cells
          .filter((one) => one.row === place.cell?.row)
          .map(({ text }) => text)
          .join(' ') ?? '';
      return (
        cell !== undefined &&
        digitsOf(cell.text) === digitsOf(truth.cell.text) &&
        squeezed(row).includes(squeezed(truth.cell.row))
      );
    }
    const text = squeezed(document.text.slice(block.start, block.end));
    const wanted = squeezed(truth.sentence!);
    const at = text.indexOf(wanted);
    const offset = squeezed(document.text.slice(block.start, place.start)).length;
    return at >= 0 && offset >= at - 1 && offset < at + wanted.length;
  });
}

const digitsOf = (text: string): string => text.replace(/[^\d.]/g, '').replace(/\.?0+$/, '');
const squeezed = (text: string): string => text.replace(/\s+/g, '');
