import { type RefObject, useRef, useState } from 'react';
import type { QueueItem } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Card, ProblemNotice } from '../../components/page.tsx';
import { Form, SelectField, TextAreaField } from '../../components/field.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { findLabelLook, LabelRadio } from '../../components/badge.tsx';
import { nameAction } from '@agonhq/engine/view';
import { ClauseSearch } from './clause-search.tsx';
import type { SessionDecision } from './review-session.ts';

export const submitKey = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘ Enter' : 'Ctrl Enter';

const labels = [
  ['safe', 'S'],
  ['unsafe', 'U'],
] as const;

interface DecideFormProps {
  item: QueueItem;
  before: SessionDecision | null;
  busy: boolean;
  error: unknown;
  keysActive: boolean;
  announce: (words: string) => void;
  onDecide: (decision: SessionDecision) => void;
  /** Where single letters are keys again. */
  heading: RefObject<HTMLElement | null>;
}

export function DecideForm({ item, before, busy, error, keysActive, announce, onDecide, heading }: DecideFormProps) {
  const [label, setLabel] = useState<SessionDecision['label'] | null>(before?.label ?? null);
  const [clause, setClause] = useState<string | null>(before?.clause ?? null);
  const [chosenAction, setAction] = useState(before?.action ?? '');
  const [why, setWhy] = useState(before?.why ?? '');
  const [asked, setAsked] = useState(false);
  const clauseInput = useRef<HTMLInputElement>(null);
  const reason = useRef<HTMLTextAreaElement>(null);
  const actionSelect = useRef<HTMLSelectElement>(null);
  // What the policy asks for is no opinion of the machine on this case.
  const asks = findAsked(item, label, clause);
  const choose = (chosen: SessionDecision['label']) => {
    setLabel(chosen);
    announce(`${findLabelLook(chosen).title} selected.`);
  };
  const submit = () => {
    if (busy) return;
    setAsked(true);
    if (label === null) {
      announce('Choose safe or unsafe first.');
      heading.current?.focus();
    } else if (why.trim() === '') {
      announce('Give a short reason.');
      reason.current?.focus();
    } else
      onDecide({
        label,
        why: why.trim(),
        ...(clause === null ? {} : { clause }),
        ...(chosenAction && { action: chosenAction }),
      });
  };
  useHotkeys(
    {
      s: () => choose('safe'),
      u: () => choose('unsafe'),
      c: () => clauseInput.current?.focus(),
      a: () => actionSelect.current?.focus(),
      r: () => reason.current?.focus(),
      'mod+Enter': submit,
      Escape: () => heading.current?.focus(),
    },
    keysActive,
  );
  return (
    <Card>
      <Form noValidate onSubmit={submit}>
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">Your decision</legend>
          <div className="grid grid-cols-2 gap-2">
            {labels.map(([option, key]) => (
              <LabelRadio
                key={option}
                label={option}
                look="min-h-12 cursor-pointer gap-2 px-4 has-checked:font-medium [&>svg]:size-5"
                name="label"
                checked={label === option}
                onChange={() => choose(option)}
              >
                <KeyHint>{key}</KeyHint>
              </LabelRadio>
            ))}
          </div>
          {asked && label === null && <p className="text-sm text-risk">Choose safe or unsafe.</p>}
        </fieldset>
        <ClauseSearch
          clauses={item.policy.clauses}
          chosen={clause}
          input={clauseInput}
          onChoose={(chosen) => {
            setClause(chosen?.id ?? null);
            announce(chosen ? `Clause ${chosen.id} selected.` : 'No clause selected.');
            if (chosen) reason.current?.focus();
          }}
        />
        <SelectField
          label={
            <span className="flex items-center justify-between">
              Action <KeyHint>A</KeyHint>
            </span>
          }
          hint={item.policy.actions.find(({ id }) => id === (chosenAction || asks))?.text}
          ref={actionSelect}
          value={chosenAction}
          onChange={setAction}
          none={asks === null ? 'As the policy asks' : `${nameAction(asks)}, as the policy asks`}
          options={item.policy.actions.map(({ id }) => [id, nameAction(id)])}
        />
        <TextAreaField
          label={
            <span className="flex items-center justify-between">
              Why <KeyHint>R</KeyHint>
            </span>
          }
          hint="The curator learns from it."
          error={asked && why.trim() === '' ? 'Give a short reason.' : undefined}
          ref={reason}
          maxLength={5000}
          value={why}
          onChange={setWhy}
        />
        {error !== null && <ProblemNotice error={error} retry={submit} />}
        <Button type="submit" variant="primary" busy={busy}>
          Record decision <KeyHint>{submitKey}</KeyHint>
        </Button>
      </Form>
    </Card>
  );
}

/** What follows from the decision by the policy alone; null where only a clause would tell. */
function findAsked(
  { policy }: QueueItem,
  label: SessionDecision['label'] | null,
  clause: string | null,
): string | null {
  if (label === 'safe') return 'allow';
  return (label === 'unsafe' && policy.clauses.find(({ id }) => id === clause)?.action) || null;
}
