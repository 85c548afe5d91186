import { useMutation } from '@tanstack/react-query';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { client, type SentModel, type ModelTrial } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import { invalidate } from '../../api/query-options.ts';
import { formatDuration } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText } from '../../components/text.tsx';

/** Of a model that is being asked, `null`. */
type Trials = Readonly<Record<string, Pick<ModelTrial, 'ok' | 'milliseconds' | 'problem'> | null>>;

/** The models that the settings name, each with a button that asks it for one word. */
export function ModelsList({ models }: { models: readonly SentModel[] }) {
  const [trials, setTrials] = useState<Trials>({});
  const tell = (model: string, trial: Trials[string]) => setTrials((before) => ({ ...before, [model]: trial }));
  const ask = useMutation({
    // One after the other: a provider would turn many at once away.
    mutationFn: async (names: readonly string[]) => {
      for (const model of names) tell(model, null);
      for (const model of names) tell(model, await tryModel(model));
    },
    onSettled: () => invalidate('audit'),
  });
  return (
    <Section
      title="Models"
      lead="Try asks a model for one word, which tests its address, its key and its name, and costs next to nothing."
      actions={
        <Button
          size="small"
          icon={Zap}
          busy={ask.isPending}
          onClick={() => ask.mutate(models.map(({ model }) => model))}
        >
          Try all
        </Button>
      }
    >
      <DataTable
        label="Models"
        rows={models}
        columns={[
          ['Model', (row) => <Name row={row} />, 'min-w-44'],
          [
            'Answer',
            ({ model }) => (
              <span className="flex flex-wrap items-center gap-2" aria-live="polite">
                <Button
                  size="small"
                  aria-label={`Try ${model}`}
                  busy={trials[model] === null}
                  disabled={ask.isPending}
                  onClick={() => ask.mutate([model])}
                >
                  Try
                </Button>
                {trials[model] && <Outcome trial={trials[model]} />}
              </span>
            ),
            'min-w-56',
          ],
          ['Reached at', (row) => <Reach row={row} />, 'min-w-40'],
          ['Limits', (row) => <Limits row={row} />, 'min-w-32 text-sm'],
          ['Price', (row) => <Price row={row} />, 'min-w-28 text-sm'],
        ]}
      />
    </Section>
  );
}

async function tryModel(model: string): Promise<Trials[string]> {
  try {
    return await client.models.try({ model });
  } catch (error) {
    return { ok: false, milliseconds: 0, problem: describeProblem(error) };
  }
}

const kinds = {
  language: 'language model',
  embedding: 'embeds precedents',
  transcription: 'writes down recordings',
  embedded: 'ships with Agon',
} as const;

function Name({ row: { model, kind, fallbacks } }: { row: SentModel }) {
  return (
    <>
      <PlainText className="font-mono text-sm break-all" text={model} />
      <span className="block text-sm text-quiet">{kinds[kind]}</span>
      {fallbacks.length > 0 && <span className="block text-sm text-quiet">else {fallbacks.join(', ')}</span>}
    </>
  );
}

function Reach({ row: { provider, problem } }: { row: SentModel }) {
  if (provider === null) return 'this machine';
  const { host, local, key } = provider;
  return (
    <>
      {host && <span className="break-all">{host}</span>}
      {key && (
        <span className="block text-sm text-quiet">
          {key.from === 'environment' ? `key of ${key.variable}` : 'key of the file of settings'}
        </span>
      )}
      {!key && !problem && <span className="block text-sm text-quiet">{local ? 'local, no key' : 'no key'}</span>}
      {problem && <span className="words block text-sm text-caution">{problem.message}</span>}
    </>
  );
}

function Limits({ row: { limits } }: { row: SentModel }) {
  if (limits === null) return null;
  const { concurrency, requestsPerMinute, tokensPerMinute, timeoutMs } = limits;
  const words = [
    `${concurrency} at once`,
    requestsPerMinute === null ? null : `${requestsPerMinute.toLocaleString()} calls a minute`,
    tokensPerMinute === null ? null : `${tokensPerMinute.toLocaleString()} tokens a minute`,
    `${timeoutMs / 1000} s each`,
  ];
  return words.filter((word) => word !== null).join(', ');
}

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

function Price({ row: { price, provider } }: { row: SentModel }) {
  if (provider === null || provider.local) return 'free';
  if (price === null) return <span className="text-quiet">not known</span>;
  return `${dollars.format(price.input)} in, ${dollars.format(price.output)} out per million tokens`;
}

function Outcome({ trial: { ok, milliseconds, problem } }: { trial: NonNullable<Trials[string]> }) {
  if (ok) return <Badge tone="exoneration">answers in {formatDuration(milliseconds)}</Badge>;
  return (
    <span className="grid gap-1">
      <Badge tone="risk" className="w-fit">
        {problem?.code ?? 'no answer'}
      </Badge>
      {problem && (
        <span className="words max-w-80 text-sm">
          <PlainText text={problem.message} /> <span className="text-quiet">{problem.hint}</span>
        </span>
      )}
    </span>
  );
}
