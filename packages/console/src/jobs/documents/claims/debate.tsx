import { CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import { nameAttack, nameStep, nameStrength } from '@agonhq/documents/view';
import { Badge } from '../../../components/badge.tsx';
import { showScore } from '../../../components/bars.tsx';
import { classes } from '../../../components/tones.ts';
import { TurnCallsButton } from '../../../trial/turn-calls-button.tsx';
import type { TracedAttack, ClaimTrace, TracedFinding, TracedReply, Search, TracedStep } from '../trace/trace-claim.ts';
import type { Citation } from '../trace/types.ts';
import { CitationButton, CitationList } from './citation-button.tsx';

interface Going {
  active: number | null;
  onGo: (citation: Citation) => void;
}

/** A claim's debate, turn by turn; each attack has its rebuttal below it. */
export function Debate({ trace, ...going }: { trace: ClaimTrace } & Going) {
  const replies = trace.steps.flatMap((step) => step.replies);
  const attacks = new Set(trace.steps.flatMap((step) => step.attacks.map(({ number }) => number)));
  return (
    <div className="grid gap-4">
      {trace.steps.map((step) => (
        <Turn key={step.turn.key} step={step} replies={replies} attacks={attacks} {...going} />
      ))}
    </div>
  );
}

function Turn({
  step,
  replies,
  attacks,
  ...going
}: { step: TracedStep; replies: readonly TracedReply[]; attacks: ReadonlySet<number> } & Going) {
  const { turn, premises, findings, standing } = step;
  const strays = step.replies.filter(({ attack }) => !attacks.has(attack));
  return (
    <section className="grid gap-2 border-l-2 pl-3">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="font-medium">{nameStep(turn.key)}</h3>
        <span className="text-sm text-quiet">
          {turn.seat} · {turn.reasoner}
          {turn.score !== null && !turn.fallback ? ` · ${showScore(turn.score)} for the claim` : ''}
        </span>
        <span className="ml-auto text-xs">
          <TurnCallsButton
            turn={{ ...turn, state: 'said', notes: turn.notes ?? [], fallback: turn.fallback ?? null }}
            name={nameStep(turn.key)}
          />
        </span>
      </header>
      {turn.fallback && (
        <p className="words flex gap-2 rounded-lg bg-caution-ground px-3 py-1.5 text-sm text-caution">
          <CircleSlash aria-hidden className="mt-1 size-4 flex-none" />{' '}
          <span>
            This seat gave no answer ({turn.fallback.reason}), so a fallback was used. {turn.fallback.detail}
          </span>
        </p>
      )}
      {turn.statement !== '' && <p className="words">{turn.statement}</p>}
      {premises.map(({ number, premise, citations }) => (
        <Point key={number} tone="for" title={`Premise ${number}`} words={premise}>
          {citations.length === 0 ? (
            <p className="text-sm text-quiet">No citations.</p>
          ) : (
            <CitationList citations={citations} {...going} />
          )}
        </Point>
      ))}
      {step.attacks.map((attack) => (
        <AttackPoint
          key={attack.number}
          attack={attack}
          replies={replies.filter((reply) => reply.attack === attack.number)}
          {...going}
        />
      ))}
      {strays.map((reply, index) => (
        <ReplyPoint key={index} reply={reply} {...going} />
      ))}
      {findings.map((finding) => (
        <FindingPoint key={finding.name} finding={finding} {...going} />
      ))}
      {standing && (
        <p className="text-sm text-quiet">
          {standing.length === 0
            ? 'No attack stands.'
            : `Still standing: ${standing.map((number) => `attack ${number}`).join(', ')}.`}
        </p>
      )}
      <CitationList citations={step.citations} {...going} />
      {turn.notes?.map((note, index) => (
        <p key={index} className="words text-sm text-quiet">
          {note}
        </p>
      ))}
    </section>
  );
}

const points = { for: 'border-exoneration', against: 'border-risk', conceded: 'border-caution', none: 'border-line' };

function Point({
  tone,
  title,
  badge,
  words,
  children,
}: {
  tone: keyof typeof points;
  title: string;
  badge?: ReactNode;
  words: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes('grid gap-1.5 rounded-lg border-l-4 bg-paper px-3 py-2', points[tone])}>
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        {title} {badge}
      </p>
      {words !== '' && <p className="words">{words}</p>}
      {children}
    </div>
  );
}

function AttackPoint({ attack, replies, ...going }: { attack: TracedAttack; replies: readonly TracedReply[] } & Going) {
  const { number, kind, premise, point, citations, searches, missing, stands } = attack;
  const target = premise === 0 ? 'the claim itself' : `premise ${premise}`;
  const badge = stands === null ? null : stands ? <Badge tone="risk">still stands</Badge> : <Badge>answered</Badge>;
  return (
    <Point
      tone="against"
      title={`Attack ${number} on ${target}: ${nameAttack(kind).toLowerCase()}`}
      badge={badge}
      words={point}
    >
      <CitationList citations={citations} {...going} />
      {searches.map((search, index) => (
        <SearchMade key={index} search={search} {...going} />
      ))}
      {missing.length > 0 && searches.length === 0 && (
        <p className="text-sm text-risk">
          Claims that something is missing, but no search for it is on record, so it is not accepted.
        </p>
      )}
      {replies.map((reply, index) => (
        <ReplyPoint key={index} reply={reply} {...going} />
      ))}
    </Point>
  );
}

function ReplyPoint({ reply, ...going }: { reply: TracedReply } & Going) {
  return (
    <div className="mt-1 rounded-lg border bg-surface">
      <Point
        tone={reply.concedes ? 'conceded' : 'for'}
        title={`${reply.concedes ? 'Concedes' : 'Rebuts'} attack ${reply.attack}`}
        words={reply.point}
      >
        <CitationList citations={reply.citations} {...going} />
      </Point>
    </div>
  );
}

function SearchMade({ search: { terms, blocksRead, accepted, found }, active, onGo }: { search: Search } & Going) {
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {accepted ? <Badge tone="exoneration">absence confirmed</Badge> : <Badge tone="risk">absence rejected</Badge>}
        <span className="words">
          Searched {blocksRead} {blocksRead === 1 ? 'block' : 'blocks'} for{' '}
          {terms.map((term) => `“${term}”`).join(', ')}:{' '}
          {found.length === 0 ? 'not found.' : `found ${found.length === 1 ? 'once' : `${found.length} times`}.`}
        </span>
      </p>
      {found.map(({ citation, term, near }) => (
        <div key={citation.index}>
          <CitationButton citation={citation} active={citation.index === active} onGo={onGo} />
          <p className="text-quiet">
            {near ? 'near match for' : 'match for'} “{term}”
          </p>
        </div>
      ))}
    </div>
  );
}

function FindingPoint({ finding, ...going }: { finding: TracedFinding } & Going) {
  const { name, holds, strength, why, citations } = finding;
  const title =
    name === 'support'
      ? `Supported by the dossier? ${holds ? 'Yes' : 'No'}${strength ? `, ${nameStrength(strength)}` : ''}`
      : `Contradicted by the dossier? ${holds ? 'Yes' : 'No'}`;
  return (
    <Point tone={holds ? (name === 'support' ? 'for' : 'against') : 'none'} title={title} words={why}>
      <CitationList citations={citations} {...going} />
    </Point>
  );
}
