import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { shorten } from '@agonhq/engine/text';
import { Button } from '../../../components/button.tsx';
import { Input, SelectField } from '../../../components/field.tsx';
import { PlainText } from '../../../components/text.tsx';
import { classes, edges } from '../../../components/tones.ts';
import { describeRegion } from './region-layer.tsx';
import { findTagTone, type FindingDraft, type DraftMark, type DraftMarking } from './use-finding.ts';

/** From so many tags on, they can be searched. */
const searchable = 8;

/** Which tags apply, and how grave it is. */
export function FindingFields({ marking, draft }: { marking: DraftMarking; draft: FindingDraft }) {
  const { finding, toggleTag, setSeverity } = draft;
  const [search, setSearch] = useState('');
  const id = useId();
  const shown = marking.tags.filter(
    (tag) =>
      finding.tags.includes(tag.id) ||
      `${tag.id} ${tag.title ?? ''}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <>
      <fieldset className="grid min-w-0 gap-2">
        <legend className="mb-1 text-sm font-medium">Tags ({finding.tags.length})</legend>
        {marking.tags.length > searchable && (
          <Input
            type="search"
            aria-label="Search tags"
            placeholder="Search tags"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
        <div
          tabIndex={0}
          role="group"
          aria-label="Tags to choose from"
          className="grid max-h-64 gap-0.5 overflow-y-auto rounded-lg border p-1.5"
        >
          {shown.map((tag) => {
            const marks = finding.marks.filter((mark) => mark.tag === tag.id).length;
            return (
              <label
                key={tag.id}
                htmlFor={`${id}-${tag.id}`}
                className="flex min-h-9 items-start gap-2 rounded-md px-1.5 py-1 text-sm hover:bg-paper"
              >
                <input
                  id={`${id}-${tag.id}`}
                  type="checkbox"
                  className="mt-0.5 size-4.5 flex-none accent-link"
                  checked={finding.tags.includes(tag.id)}
                  disabled={marks > 0}
                  onChange={() => toggleTag(tag.id)}
                />
                <span className="words min-w-0">
                  <span className="font-medium">{tag.id}</span>
                  {tag.title !== null && <span className="block text-quiet">{shorten(tag.title, 90)}</span>}
                  {marks > 0 && (
                    <span className="block text-quiet">
                      {marks} {marks === 1 ? 'mark' : 'marks'}; remove {marks === 1 ? 'it' : 'them'} to untick
                    </span>
                  )}
                </span>
              </label>
            );
          })}
          {shown.length === 0 && <p className="p-2 text-sm text-quiet">No tag has these words.</p>}
        </div>
      </fieldset>
      {marking.severities.length > 0 && (
        <SelectField
          label="Severity"
          value={finding.severity ?? ''}
          onChange={(severity) => setSeverity(severity === '' ? null : severity)}
          none="None"
          options={marking.severities.map((severity) => [severity, severity])}
        />
      )}
      <MarkList draft={draft} />
    </>
  );
}

/** What the next mark is of. */
export function MarkAs({ marking, draft }: { marking: DraftMarking; draft: FindingDraft }) {
  return (
    <SelectField
      label="Mark as"
      className="max-w-md"
      value={draft.tag}
      onChange={draft.setTag}
      options={marking.tags.map(({ id, title }) => [id, title === null ? id : `${id}: ${shorten(title, 60)}`])}
    />
  );
}

function MarkList({ draft: { finding, removeMark } }: { draft: FindingDraft }) {
  if (finding.marks.length === 0)
    return <p className="text-sm text-quiet">No marks yet. Select words in a text, or draw on an image.</p>;
  return (
    <div className="grid gap-1.5">
      <h3 className="text-sm font-medium">Marks ({finding.marks.length})</h3>
      <ol aria-label="Marks" className="grid gap-1.5">
        {finding.marks.map((mark, index) => (
          <li
            key={index}
            className={classes(
              'flex items-start justify-between gap-2 border-l-4 pl-2 text-sm',
              edges[findTagTone(finding, mark.tag)],
            )}
          >
            <span className="words min-w-0">
              {index + 1}. <MarkWords mark={mark} />
            </span>
            <Button
              icon={Trash2}
              size="small"
              variant="quiet"
              aria-label={`Remove mark ${index + 1}`}
              onClick={() => removeMark(index)}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** `“burn your house” violence.plan`. */
export function MarkWords({ mark }: { mark: DraftMark }) {
  return (
    <>
      {mark.kind === 'span' ? (
        <q>
          <PlainText text={shorten(mark.quote, 120)} />
        </q>
      ) : (
        `Region: ${describeRegion(mark)}`
      )}{' '}
      <span className="text-quiet">{mark.tag}</span>
    </>
  );
}
