import { Download } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { buttonClass } from '../../components/button.tsx';

const formats = [
  ['html', 'Page (HTML)', 'claims beside the documents, in one file'],
  ['annotated', 'Annotated copy (PDF)', 'the document with the findings in its margin'],
  ['pdf', 'Brief (PDF)', 'what is wrong, and what could not be shown'],
  ['xlsx', 'Findings (XLSX)', 'one row each, for a spreadsheet'],
  ['csv', 'Findings (CSV)', 'the same as separated values'],
  ['markdown', 'Markdown', 'the whole debate as text'],
  ['json', 'JSON', 'the sealed trace, for agon verify'],
] as const;

const endings: Record<string, string> = { markdown: 'md', annotated: 'annotated.pdf' };

/** The analysis as a file, and the files that it is about. */
export function ExportMenu({ id, originals }: { id: string; originals: readonly { name: string; url: string }[] }) {
  const look = 'block rounded-md px-3 py-1.5 text-ink no-underline outline-none data-highlighted:bg-paper';
  // Only a PDF that was kept can be annotated.
  const isKept = originals.some(({ name }) => /\.pdf$/i.test(name));
  const shown = formats.filter(([format]) => format !== 'annotated' || isKept);
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className={buttonClass()}>
        <Download aria-hidden className="size-4" /> Export
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 w-72 rounded-xl border bg-surface p-1.5 shadow-lg"
        >
          {shown.map(([format, title, what]) => (
            <DropdownMenu.Item key={format} asChild>
              <a
                href={`/api/cases/${encodeURIComponent(id)}/report?format=${format}`}
                download={`${id}.${endings[format] ?? format}`}
                className={look}
              >
                <span className="block font-medium">{title}</span>
                <span className="block text-sm text-quiet">{what}</span>
              </a>
            </DropdownMenu.Item>
          ))}
          {originals.length > 0 && <DropdownMenu.Separator className="my-1.5 border-t" />}
          {originals.map(({ name, url }) => (
            <DropdownMenu.Item key={name} asChild>
              <a href={url} download={name} className={look}>
                <span className="block truncate font-medium">{name}</span>
                <span className="block text-sm text-quiet">the original file</span>
              </a>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
