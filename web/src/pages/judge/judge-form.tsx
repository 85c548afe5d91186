import { Gavel } from 'lucide-react';
import { useState, type ClipboardEvent, type Dispatch, type DragEvent, type SetStateAction } from 'react';
import type { Job } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { TabPanel, Tabs } from '../../components/tabs.tsx';
import { DocumentList } from './document-list.tsx';
import { ImageList } from './image-list.tsx';
import { isImage, isPlainText, jobs, methods, missingIn, type Order } from './order.ts';
import { samples } from './samples.ts';

/** What somebody is about to ask, of every job. */
interface Draft {
  text: string;
  images: readonly File[];
  prompt: string;
  response: string;
  files: readonly File[];
  method: string;
}

export const emptyDraft: Draft = { text: '', images: [], prompt: '', response: '', files: [], method: '' };
const mostImages = 16;

/** What is to be judged: a text, images, an exchange, a document. */
export function JudgeForm({
  job,
  draft,
  onJob,
  onDraft: setDraft,
  onJudge,
}: {
  job: Job;
  draft: Draft;
  onJob: (job: Job) => void;
  onDraft: Dispatch<SetStateAction<Draft>>;
  onJudge: (order: Order) => void;
}) {
  const [asked, setAsked] = useState(false);
  const change = (changed: Partial<Draft>) => setDraft((before) => ({ ...before, ...changed }));
  const order = orderOf(job, draft);
  const missing = missingIn(order);
  const judge = () => (missing === null ? onJudge(order) : setAsked(true));
  useHotkeys({ 'mod+Enter': judge });

  /** Files find their own place: images beside the text, plain text into it, everything else is a document. */
  const take = async (files: readonly File[]) => {
    const [images, texts, documents] = [
      files.filter(isImage),
      files.filter((file) => isPlainText(file) && job === 'moderation'),
      files.filter((file) => !isImage(file) && !(isPlainText(file) && job === 'moderation')),
    ];
    if (documents.length > 0 || job === 'documents') {
      onJob('documents');
      setDraft((before) => ({ ...before, files: [...before.files, ...(job === 'documents' ? files : documents)] }));
      if (job === 'documents') return;
    } else if (job === 'evaluation') onJob('moderation');
    if (images.length > 0)
      setDraft((before) => ({ ...before, images: [...before.images, ...images].slice(0, mostImages) }));
    if (texts.length > 0) change({ text: (await Promise.all(texts.map((file) => file.text()))).join('\n\n') });
  };
  const pasted = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  };
  const dropped = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    void take(files);
  };
  const choose = (sample: Order) => {
    onJob(sample.job);
    if (sample.job === 'moderation') change({ text: sample.text, images: [] });
    if (sample.job === 'evaluation') change({ prompt: sample.prompt, response: sample.response });
  };

  return (
    <form
      className="grid gap-5"
      aria-label="What is to be judged"
      onPaste={pasted}
      onDrop={dropped}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onSubmit={(event) => {
        event.preventDefault();
        judge();
      }}
    >
      <Card>
        <Tabs tabs={jobs} value={job} onChange={onJob} label="Job">
          <TabPanel name="moderation">
            <Field label="Text" hint="Paste or write it. Images can be pasted, too.">
              <TextArea
                value={draft.text}
                onChange={(event) => change({ text: event.target.value })}
                rows={7}
                placeholder="What somebody wrote"
                dir="auto"
              />
            </Field>
            <ImageList
              images={draft.images}
              onRemove={(image) => change({ images: draft.images.filter((other) => other !== image) })}
            />
            <FileDrop
              label="Add images"
              hint="Dropped here, pasted, or chosen. They are judged together with the text."
              accept="image/*"
              multiple
              onFiles={(files) => void take(files)}
              className="bg-paper py-4"
            />
          </TabPanel>
          <TabPanel name="evaluation">
            <Field label="Prompt" hint="What the model was asked.">
              <TextArea
                value={draft.prompt}
                onChange={(event) => change({ prompt: event.target.value })}
                rows={3}
                dir="auto"
              />
            </Field>
            <Field label="Response" hint="What it answered: this is judged.">
              <TextArea
                value={draft.response}
                onChange={(event) => change({ response: event.target.value })}
                rows={6}
                dir="auto"
              />
            </Field>
          </TabPanel>
          <TabPanel name="documents">
            <DocumentList
              files={draft.files}
              onRemove={(file) => change({ files: draft.files.filter((other) => other !== file) })}
            />
            <FileDrop
              label="Add documents"
              hint="PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text. Several files are one dossier."
              multiple
              onFiles={(files) => change({ files: [...draft.files, ...files] })}
              className="bg-paper"
            />
          </TabPanel>
        </Tabs>
        <div className="mt-5 flex flex-wrap items-end justify-between gap-4">
          <Field label="Method" className="w-full sm:w-64">
            <Select value={order.method} onChange={(event) => change({ method: event.target.value })}>
              <option value="">As the server is configured</option>
              {methods[job].map(([id, words]) => (
                <option key={id} value={id}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            {asked && missing !== null && (
              <p role="alert" className="text-sm text-risk">
                {missing}
              </p>
            )}
            <span aria-hidden className="hidden items-center gap-1 sm:flex">
              <KeyHint>{isMac ? '⌘' : 'Ctrl'}</KeyHint>
              <KeyHint>↵</KeyHint>
            </span>
            <Button variant="primary" type="submit">
              <Gavel aria-hidden className="size-4" /> Judge
            </Button>
          </div>
        </div>
      </Card>
      <section aria-label="Samples" className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-quiet">To try:</span>
        {samples.map((sample) => (
          <Button key={sample.title} size="small" onClick={() => choose(sample.order)}>
            {sample.title}
          </Button>
        ))}
      </section>
    </form>
  );
}

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

function orderOf(job: Job, { text, images, prompt, response, files, method: chosen }: Draft): Order {
  const method = methods[job].some(([id]) => id === chosen) ? chosen : '';
  if (job === 'moderation') return { job, text, images, method };
  return job === 'evaluation' ? { job, prompt, response, method } : { job, files, method };
}
