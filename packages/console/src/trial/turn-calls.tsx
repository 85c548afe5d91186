import { useQuery } from '@tanstack/react-query';
import { Check, Copy } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatSeconds, renderCurl } from '@agonhq/engine/view';
import { client, type TurnCallsRecord } from '../api/client.ts';
import { Badge } from '../components/badge.tsx';
import { showScore, Score } from '../components/bars.tsx';
import { Button } from '../components/button.tsx';
import { QueryView } from '../components/page.tsx';
import { Facts } from '../components/table.tsx';
import { PlainText } from '../components/text.tsx';
import { showProblem } from '../components/toasts.tsx';
import type { TrialTurn } from './trial-view.ts';

/** What is asked of a turn here, whatever draws it. */
export type SaidTurn = Pick<TrialTurn, 'key' | 'round' | 'reasoner' | 'state' | 'notes' | 'evidence' | 'fallback'>;

type Call = TurnCallsRecord['calls'][number];

/** Every attempt of a turn: the exact prompt, the raw reply, and what they cost. */
export function TurnCalls({ id, turn }: { id: string; turn: SaidTurn }) {
  const query = useQuery({
    queryKey: ['cases', id, 'calls', turn.key],
    queryFn: ({ signal }) => client.cases.calls(id, { turn: turn.key }, { signal }),
  });
  return (
    <QueryView query={query} lines={6} what="Loading what was said">
      {({ calls, readings }) => (
        <div className="grid min-w-0 gap-5">
          <Repairs turn={turn} />
          {calls.map((call, index) => (
            <CallView key={index} call={call} number={index + 1} of={calls.length} />
          ))}
          {readings && readings.length > 0 && <Readings readings={readings} />}
          {calls.length === 0 && !readings?.length && <p className="text-quiet">{explainNothing(turn)}</p>}
        </div>
      )}
    </QueryView>
  );
}

function explainNothing({ reasoner }: SaidTurn): string {
  return reasoner.startsWith('embedded:')
    ? 'Nothing was sent: rules argue this turn, or the embedded model that read it is no longer installed.'
    : 'What was sent for this turn is not on record: it was recalled from elsewhere.';
}

/** What was repaired on the way, and what was struck. */
function Repairs({ turn: { notes, evidence, fallback } }: { turn: SaidTurn }) {
  const struck = evidence.filter(({ verified }) => !verified);
  if (notes.length === 0 && struck.length === 0 && fallback === null) return null;
  return (
    <section aria-label="Repaired and struck" className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm">
      <h3 className="font-medium text-caution">Repaired and struck</h3>
      <ul className="grid gap-1">
        {fallback && (
          <li className="words">
            Nobody answered, and a stand-in took the place: <PlainText text={fallback.detail} />
          </li>
        )}
        {notes.map((note, index) => (
          <li key={index} className="words">
            <PlainText text={note} />
          </li>
        ))}
        {struck.map(({ quote }, index) => (
          <li key={`struck-${index}`} className="words">
            Struck, since it is in no source: <del>{quote}</del>
          </li>
        ))}
      </ul>
    </section>
  );
}

const purposes: Record<Call['why'], string> = {
  answer: 'The turn',
  repair: 'Asked to repair its reply',
  correction: 'Quotes were sent back',
  embedding: 'Precedents were looked for',
  transcription: 'A recording was written down',
  screening: 'A classifier was asked',
};

function CallView({ call, number, of }: { call: Call; number: number; of: number }) {
  const { model, why, attempt, usage, latencyMs, cached, problem, instructions, messages, reply, schema } = call;
  return (
    <section aria-label={`Request ${number} of ${of}`} className="grid min-w-0 gap-3 border-t pt-4">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        {of > 1 && <span className="text-quiet tabular-nums">{number}.</span>} {purposes[why]}
        {attempt > 1 && <Badge tone="caution">Attempt {attempt}</Badge>}
        {cached && <Badge tone="implicit">From the cache</Badge>}
      </h3>
      {problem !== null && (
        <p className="words text-sm text-caution">
          <PlainText text={problem} />
        </p>
      )}
      <Facts
        facts={[
          [
            'Model',
            <span key="model" className="font-mono text-sm">
              {model}
            </span>,
          ],
          ['Tokens', `${usage.inputTokens.toLocaleString()} in, ${usage.outputTokens.toLocaleString()} out`],
          usage.cachedTokens > 0 ? ['Cached by the provider', usage.cachedTokens.toLocaleString()] : null,
          ['Cost', usage.costUsd === null ? 'price unknown' : `$${usage.costUsd.toFixed(4)}`],
          ['Time', formatSeconds(latencyMs)],
        ]}
      />
      <Words title="System message" text={instructions} />
      {messages.map(({ role, content }, index) => (
        <Words key={index} title={role === 'user' ? 'Prompt' : 'Its earlier reply'} text={content} />
      ))}
      {schema !== null && <Words title="Schema of the reply" text={schema} />}
      {reply && <Words title={`Raw reply (${reply.finish})`} text={reply.text} open />}
      <CopyCurl call={call} />
    </section>
  );
}

function Words({ title, text, open = false }: { title: string; text: string; open?: boolean }) {
  if (text === '') return null;
  return (
    <details open={open} className="min-w-0 rounded-lg border">
      <summary className="px-3 py-2 text-sm font-medium">
        {title} <span className="font-normal text-quiet">{text.length.toLocaleString()} characters</span>
      </summary>
      <div
        role="group"
        aria-label={title}
        tabIndex={0}
        className="words max-h-96 overflow-auto border-t bg-paper px-3 py-2 font-mono text-xs"
      >
        <PlainText text={text} />
      </div>
    </details>
  );
}

/** The command holds no key: the shell of whoever runs it does. */
function CopyCurl({ call }: { call: Call }) {
  const [copied, setCopied] = useState(false);
  const command = renderCurl(call);
  if (command === null) return null;
  const copy = () =>
    navigator.clipboard.writeText(command).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    }, showProblem);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button size="small" icon={copied ? Check : Copy} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy as curl'}
      </Button>
      <span role="status" className="text-sm text-quiet">
        {copied ? 'The command is in the clipboard, without the key.' : 'Without the key, and images by their hashes.'}
      </span>
    </div>
  );
}

/** How the embedded model reads the case: its score of each part, and the passages that weigh most. */
function Readings({ readings }: { readings: NonNullable<TurnCallsRecord['readings']> }): ReactNode {
  return (
    <section aria-label="What the model reads" className="grid gap-3 border-t pt-4">
      <h3 className="font-medium">What the model reads</h3>
      <p className="text-sm text-quiet">
        The risk of each part by this model alone, before precedents, the policy and a second opinion; beneath it the
        passages that weigh most.
      </p>
      <ul className="grid gap-3">
        {readings.map(({ source, as, risk, passages }) => (
          <li key={`${source} ${as}`} className="grid gap-1.5 rounded-lg border px-3 py-2">
            <p className="flex flex-wrap items-center gap-x-3">
              <span className="font-mono text-sm">{source}</span>
              <span className="text-sm text-quiet">read as {as}</span>
              <span className="ml-auto" data-risk={showScore(risk)}>
                <Score value={risk} label="Risk" width="w-16" />
              </span>
            </p>
            {passages.map((passage, index) => (
              <blockquote key={index} className="words border-l-3 border-quiet pl-3 text-sm">
                <PlainText text={passage} />
              </blockquote>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
