import { FlaskConical, Play, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { FileInput } from '@agonhq/server/client';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { Field, Input, TextArea } from '../../components/field.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { showProblem } from '../../components/toasts.tsx';
import { ContextFields, findContextMistake, readContextDraft } from '../context-fields.tsx';
import { startAnalysis } from './live-store.ts';
import reportFile from './samples/harbour-lane-2024.pdf?url';

const accept =
  '.pdf,.xlsx,.xlsm,.csv,.tsv,.json,.jsonl,.docx,.html,.htm,.md,.txt,.png,.jpg,.jpeg,.webp,.gif,.tif,.tiff';
const size = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Files are chosen, more may come, then the analysis begins. */
export function NewAnalysis() {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [claims, setClaims] = useState('');
  const [most, setMost] = useState('');
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const own = claims
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const mistake = findContextMistake(texts);
  const start = (given: readonly FileInput[]) =>
    startAnalysis({
      files: given,
      factors: own,
      ...(Number(most) > 0 ? { maxFactors: Number(most) } : {}),
      ...readContextDraft(texts),
    });
  // What shows it is on its way before it is needed.
  useEffect(() => void import('./analysis-page.tsx'), []);
  const add = (added: readonly File[]) =>
    setFiles((before) => [...before.filter(({ name }) => !added.some((file) => file.name === name)), ...added]);
  return (
    <Card className="grid gap-4">
      <FileDrop
        label="Choose files, or drop them here"
        hint="PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text, or scans. Several files form one dossier."
        accept={accept}
        multiple
        onFiles={add}
      />
      {files.length > 0 && (
        <ul className="grid gap-1.5" aria-label="Files to analyse">
          {files.map((file) => (
            <li key={file.name} className="flex items-center justify-between gap-3 rounded-lg border px-3 py-1.5">
              <span className="min-w-0 truncate">
                {file.name} <span className="text-sm text-quiet">{size.format(file.size / 1000)} kB</span>
              </span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                className="rounded-md p-1 text-quiet hover:text-ink"
                onClick={() => setFiles(files.filter((other) => other !== file))}
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary className="w-fit text-link">Your own claims, and how many</summary>
        <div className="mt-3 grid gap-3 sm:grid-cols-[1fr_12rem]">
          <Field label="Your claims" hint="One per line. They replace the claims found in the files.">
            <TextArea
              value={claims}
              onChange={({ target }) => setClaims(target.value)}
              placeholder="Margins rose in 2024"
            />
          </Field>
          <Field label="Maximum" hint="12 claims by default.">
            <Input
              type="number"
              min={1}
              max={200}
              value={most}
              onChange={({ target }) => setMost(target.value)}
              disabled={own.length > 0}
            />
          </Field>
        </div>
      </details>
      <ContextFields isShown={false} texts={texts} onChange={setTexts} />
      {mistake !== null && <p className="text-sm text-risk">{mistake}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={files.length === 0 || mistake !== null} onClick={() => start(files)}>
          <Play aria-hidden className="size-4" /> Analyse {files.length > 1 ? `${files.length} files` : ''}
        </Button>
        {samples.map(({ title, load }) => (
          <Button
            key={title}
            onClick={() => void load().then((loaded) => startAnalysis({ files: loaded }), showProblem)}
          >
            <FlaskConical aria-hidden className="size-4" /> {title}
          </Button>
        ))}
      </div>
    </Card>
  );
}

/* A dossier to try: a ferry company that we made up, whose report does not say in all places what its figures say. */

const figures = `Harbour Lane Ferries (in thousands of euros)
,2023,2024
Ticket revenue,8200,9430
Freight revenue,3100,3380
Total revenue,11300,12810
Fuel,2900,3460
Crew,3600,3950
Operating profit,1650,1790
`;

const samples = [
  {
    title: 'Try a sample report',
    async load(): Promise<File[]> {
      const report = await fetch(reportFile);
      if (!report.ok) throw new Error('The sample could not be loaded.');
      return [
        new File([await report.blob()], 'harbour-lane-2024.pdf', { type: 'application/pdf' }),
        new File([figures], 'harbour-lane-figures.csv', { type: 'text/csv' }),
      ];
    },
  },
] as const;
