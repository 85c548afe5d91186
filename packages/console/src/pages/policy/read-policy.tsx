import { useState } from 'react';
import type { SentPolicy } from '../../api/client.ts';
import { defaultActions, nameAction } from '@agonhq/engine/view';
import { ActionBadge, Badge } from '../../components/badge.tsx';
import { Facts } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { Card, Section } from '../../components/page.tsx';
import { InputField } from '../../components/field.tsx';
import type { ColourTone } from '../../components/tones.ts';

type Clause = SentPolicy['categories'][number]['clauses'][number];

export const severityTones: Record<Clause['severity'], ColourTone> = {
  low: 'quiet',
  medium: 'caution',
  high: 'risk',
  critical: 'risk',
};

/** The policy as a reader wants it: categories, clauses, and examples of both sides of each line. */
export function ReadPolicy({
  policy,
  active,
  onLatest,
}: {
  policy: SentPolicy;
  active: boolean;
  onLatest: () => void;
}) {
  const [words, setWords] = useState('');
  const sought = words.trim().toLowerCase();
  const holds = (...texts: readonly (string | undefined)[]) =>
    sought === '' || texts.some((text) => text?.toLowerCase().includes(sought));
  const categories = policy.categories
    .map((category) => ({
      ...category,
      clauses: category.clauses.filter((clause) =>
        holds(
          category.title,
          clause.id,
          clause.text,
          ...[...clause.violations, ...clause.exonerations].flatMap(({ text, imageDescription }) => [
            text,
            imageDescription,
          ]),
        ),
      ),
    }))
    .filter(({ clauses }) => clauses.length > 0);
  return (
    <>
      <Card className="grid gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="text-2xl">{policy.name}</h2>
          <span className="text-quiet">version {policy.version}</span>
          {active ? <Badge tone="exoneration">In force</Badge> : <Badge tone="caution">Not in force</Badge>}
          {!active && (
            <Button size="small" variant="quiet" onClick={onLatest}>
              Show the policy in force
            </Button>
          )}
        </div>
        {policy.preamble && <p className="words max-w-3xl">{policy.preamble}</p>}
        {policy.sensitivity && <p className="text-sm text-quiet">Sensitivity: {policy.sensitivity}</p>}
        {policy.actions && (
          <Facts
            facts={Object.entries(policy.actions).map(([id, text]) => [
              nameAction(id),
              <PlainText key={id} text={text} />,
            ])}
          />
        )}
        <div className="flex flex-wrap items-center gap-3 text-sm text-quiet">
          <code className="font-mono break-all">{policy.hash}</code>
          <a
            className={buttonClass('secondary', 'small')}
            href={`/api/policies/${encodeURIComponent(policy.hash)}?format=yaml`}
            download
          >
            Download YAML
          </a>
        </div>
      </Card>
      <InputField
        label="Search the policy"
        className="max-w-md"
        type="search"
        value={words}
        onChange={setWords}
        placeholder="a clause, a word, an example"
      />
      {categories.length === 0 && <p role="status">No matching clauses.</p>}
      {categories.map(({ id, title, clauses }) => (
        <Section key={id} title={title}>
          <ul className="grid gap-3 xl:grid-cols-2">
            {clauses.map((clause) => (
              <li key={clause.id}>
                <ClauseCard clause={clause} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

function ClauseCard({ clause: { id, text, severity, violations, exonerations, action } }: { clause: Clause }) {
  return (
    <Card className="grid h-full content-start gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <code className="font-mono text-sm">{id}</code>
        <Badge tone={severityTones[severity]}>{severity}</Badge>
        {action === 'allow' ? (
          <Badge tone="exoneration">allowed</Badge>
        ) : (
          <ActionBadge action={action === undefined || action === 'forbid' ? defaultActions[severity] : action} />
        )}
      </div>
      <p className="words">{text}</p>
      <details>
        <summary className="w-fit text-sm text-link">{violations.length + exonerations.length} examples</summary>
        <div className="mt-2 grid gap-3 text-sm">
          <Examples title="Violations" tone="border-risk" examples={violations} />
          <Examples title="Similar, but allowed" tone="border-exoneration" examples={exonerations} />
        </div>
      </details>
    </Card>
  );
}

function Examples({ title, tone, examples }: { title: string; tone: string; examples: Clause['violations'] }) {
  if (examples.length === 0) return null;
  return (
    <div>
      <p className="mb-1 font-medium">{title}</p>
      <ul className="grid gap-2">
        {examples.map(({ text, imageDescription }, index) => (
          <li key={index} className={`words border-s-4 ps-3 ${tone}`}>
            {text}
            {imageDescription && <span className="block text-quiet">Image: {imageDescription}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
