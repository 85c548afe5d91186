import { X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import type { QueueItem } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Input } from '../../components/field.tsx';
import { KeyHint } from '../../components/hotkeys.tsx';
import { classes } from '../../components/tones.ts';

interface ClauseSearchProps {
  clauses: readonly SearchedClause[];
  chosen: string | null;
  onChoose: (clause: SearchedClause | null) => void;
  input: Ref<HTMLInputElement>;
}

/** The policy at hand: type, go down with the arrows, choose with Enter. */
export function ClauseSearch({ clauses, chosen, onChoose, input }: ClauseSearchProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const found = findClauses(clauses, typed);
  const active = found[Math.min(at, found.length - 1)];
  const choose = (clause: SearchedClause) => {
    onChoose(clause);
    setTyped('');
    setOpen(false);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const next = Math.min(found.length - 1, Math.max(0, at + (event.key === 'ArrowDown' ? (open ? 1 : 0) : -1)));
      setAt(next);
      document.getElementById(`${id}-${found[next]?.id}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && open && active) {
      event.preventDefault();
      choose(active);
    }
  };
  const clauseChosen = clauses.find((clause) => clause.id === chosen);
  return (
    <div className="grid gap-1">
      <label htmlFor={`${id}-input`} className="flex items-center justify-between text-sm font-medium">
        Policy clause, if one applies <KeyHint>C</KeyHint>
      </label>
      {clauseChosen && (
        <div className="flex items-start gap-2 rounded-lg border border-link bg-implicit-ground p-2 text-sm">
          <p className="words min-w-0 flex-1">
            <strong className="font-mono font-medium">{clauseChosen.id}</strong> {clauseChosen.text}
          </p>
          <button
            type="button"
            aria-label={`Remove clause ${clauseChosen.id}`}
            onClick={() => onChoose(null)}
            className="rounded-md p-1 text-quiet hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      )}
      <div className="relative">
        <Input
          id={`${id}-input`}
          ref={input}
          role="combobox"
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && active ? `${id}-${active.id}` : undefined}
          autoComplete="off"
          placeholder={clauseChosen ? 'Type to choose another' : 'Type to search'}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={pressed}
        />
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label="Clauses"
          hidden={!open}
          className={classes(
            'absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-lg border bg-surface',
            'shadow-xl',
          )}
        >
          {found.map((clause) => (
            <li
              key={clause.id}
              id={`${id}-${clause.id}`}
              role="option"
              aria-selected={clause === active}
              className={classes(
                'grid cursor-pointer gap-0.5 border-b px-3 py-2 text-sm last:border-b-0',
                clause === active && 'bg-implicit-ground',
              )}
              // Before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(clause);
              }}
            >
              <span className="flex flex-wrap items-center justify-between gap-2">
                <strong className="font-mono font-medium">{clause.id}</strong>{' '}
                <Badge className="text-xs">{clause.severity}</Badge>
              </span>
              <span className="words text-quiet">
                {clause.title}: {clause.text}
              </span>
            </li>
          ))}
          {found.length === 0 && (
            <li role="option" aria-selected={false} aria-disabled className="px-3 py-2 text-sm text-quiet">
              No matching clauses.
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

export type SearchedClause = QueueItem['policy']['clauses'][number];

/** The clauses that hold every word that was typed; where its id begins like that, first. */
export function findClauses(clauses: readonly SearchedClause[], typed: string): SearchedClause[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const holding = clauses.filter(({ id, title, text }) => {
    const all = `${id} ${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ id }: SearchedClause) =>
    words.length > 0 && id.split('.').some((part) => part.startsWith(words[0]!));
  return [...holding.filter(begins), ...holding.filter((clause) => !begins(clause))];
}
