import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText, Image, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, TextAreaField } from '../../components/field.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { ProblemNotice } from '../../components/page.tsx';
import { useReviewer } from '../../session/reviewer.tsx';
import { DatasetPreview, useDataset } from './dataset-preview.tsx';
import { MarkingFields, noMarking, orderMarking } from './marks/marking-fields.tsx';
import { type FieldName, guessColumns } from './read-preview.ts';
import { invalidate } from '../../api/query-options.ts';

export function NewProjectForm() {
  const { by } = useReviewer();
  const navigate = useNavigate();
  const { dataset, images, preview, add, remove } = useDataset();
  const [name, setName] = useState('');
  const [labels, setLabels] = useState('safe, unsafe');
  const [votes, setVotes] = useState('2');
  const [guidelines, setGuidelines] = useState('');
  const [marking, setMarking] = useState(noMarking);
  const [map, setMap] = useState<Partial<Record<FieldName, string>>>({});
  const listed = labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
  const wrongLabels =
    listed.length < 2
      ? 'Enter at least two labels, separated by commas.'
      : new Set(listed.map((label) => label.toLowerCase())).size < listed.length
        ? 'Labels must differ from each other.'
        : null;
  const columns = preview?.columns ?? [];
  const usual = guessColumns(columns);
  const chosen = {
    ...usual,
    ...Object.fromEntries(Object.entries(map).filter(([, column]) => columns.includes(column))),
  };
  const hasPart = (['text', 'image', 'prompt', 'response'] as const).some((field) => chosen[field]);
  const make = useMutation({
    mutationFn: () => {
      // A column that has our name already needs no mapping.
      const renamed = Object.fromEntries(
        Object.entries(chosen).filter(([field, column]) => column !== usual[field as FieldName]),
      );
      return client.annotations.create({
        name,
        labels: listed,
        votes: Number(votes),
        files: [dataset!, ...images],
        format: preview!.format,
        ...by,
        ...orderMarking(marking),
        ...(guidelines.trim() === '' ? {} : { guidelines }),
        ...(Object.keys(renamed).length === 0 ? {} : { map: renamed }),
      });
    },
    onSuccess: async ({ id }) => {
      await invalidate('annotations');
      await navigate({ to: '/annotation/$project', params: { project: id } });
    },
  });
  const submit = () => {
    if (dataset && preview && wrongLabels === null && hasPart) make.mutate();
  };
  return (
    <Form onSubmit={submit}>
      <FileDrop
        multiple
        label="Drop the dataset and its images here, or choose files"
        hint={
          'JSON Lines, CSV or TSV with id, text, image, prompt and response. Images: PNG, JPEG, GIF, WebP, ' +
          'AVIF or BMP.'
        }
        onFiles={(files) => {
          make.reset();
          add(files);
          const [first] = files;
          if (name === '' && first) setName(first.name.replace(/\.\w+$/, ''));
        }}
      />
      {(dataset || images.length > 0) && <FileList dataset={dataset} images={images} remove={remove} />}
      {preview && (
        <DatasetPreview
          preview={preview}
          chosen={chosen}
          choose={(field, column) => setMap({ ...map, [field]: column })}
          images={images}
        />
      )}
      {preview && preview.problem === null && !hasPart && (
        <p role="alert" className="text-caution">
          Choose the column for the text, image, prompt or response above.
        </p>
      )}
      <InputField label="Name" required maxLength={100} value={name} onChange={setName} />
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <InputField
          label="Labels"
          hint="The labels people can vote for, separated by commas."
          error={wrongLabels}
          required
          value={labels}
          onChange={setLabels}
        />
        <InputField
          label="Votes per item"
          hint="Between 2 and 9."
          type="number"
          min={2}
          max={9}
          required
          value={votes}
          onChange={setVotes}
        />
      </div>
      <MarkingFields order={marking} onChange={setMarking} />
      <TextAreaField
        label="Guidelines"
        hint="Shown to annotators beside every item."
        maxLength={20_000}
        value={guidelines}
        onChange={setGuidelines}
      />
      {make.isError && <RejectedRows error={make.error} />}
      <Button type="submit" variant="primary" busy={make.isPending} disabled={!dataset || preview === null}>
        {dataset ? 'Create project' : 'Add a dataset first'}
      </Button>
    </Form>
  );
}

function RejectedRows({ error }: { error: unknown }) {
  const { issues } = describeProblem(error);
  return (
    <div className="grid gap-2">
      <ProblemNotice error={error} />
      {issues.length > 0 && (
        <ol
          aria-label="Rows that cannot be used"
          tabIndex={0}
          className="grid max-h-56 gap-1 overflow-y-auto rounded-xl border p-3 text-sm"
        >
          {issues.map(({ line, reason }, index) => (
            <li key={index} className="words">
              <strong className="font-medium">Line {line}</strong> {reason}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

export function NewProject() {
  return (
    <Dialog
      wide
      title="New project"
      description="Import a dataset from a file, with the images it names."
      trigger="New project"
      triggerLook={{ icon: Plus, variant: 'primary' }}
    >
      <NewProjectForm />
    </Dialog>
  );
}

const shownImages = 6;

interface FileListProps {
  dataset: File | null;
  images: readonly File[];
  remove: (file: File) => void;
}

function FileList({ dataset, images, remove }: FileListProps) {
  const more = images.length - shownImages;
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-2">
      {[...(dataset ? [dataset] : []), ...images.slice(0, shownImages)].map((file) => (
        <li key={file.name} className="flex max-w-full items-center gap-1.5 rounded-lg border py-0.5 pl-2.5 text-sm">
          {file === dataset ? (
            <FileText aria-hidden className="size-4 flex-none" />
          ) : (
            <Image aria-hidden className="size-4 flex-none" />
          )}
          <span className="truncate">{file.name}</span>
          <Button size="small" variant="quiet" aria-label={`Remove ${file.name}`} onClick={() => remove(file)}>
            <X aria-hidden className="size-4" />
          </Button>
        </li>
      ))}
      {more > 0 && <li className="self-center text-sm text-quiet">and {more.toLocaleString()} more images</li>}
    </ul>
  );
}
