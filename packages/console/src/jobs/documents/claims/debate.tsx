import { CircleSlash } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { markPlace } from '@agonhq/documents/trace';
import type {
  ClaimTrace,
  TracedAttack,
  TracedFinding,
  TracedReply,
  TracedSearch,
  TracedStep,
} from '@agonhq/documents/trace';
import { nameAttack, nameStep, nameStrength } from '@agonhq/documents/view';
import { describeFailure, formatPlural } from '@agonhq/engine/view';
import { Badge } from '../../../components/badge.tsx';
import { showScore } from '../../../components/bars.tsx';
import { Paragraph, PlainText } from '../../../components/text.tsx';
import { classes } from '../../../components/tones.ts';
import { PassageLink } from '../../../report/passages.tsx';
import { useReport } from '../../../report/report-context.ts';
import { TurnCallsButton } from '../../../trial/turn-calls-button.tsx';
import type { Going } from '../analysis-types.ts';
import { CitationButton, CitationList } from './citation-button.tsx';

/** A claim's debate, turn by turn; each attack has its rebuttal below it. */
export function Debate({ trace: { steps, strays }, ...going }: { trace: ClaimTrace } & Going) {
  const replies = steps.flatMap((step) => step.replies);
  return (
    <div className="grid gap-4">
      {steps.map((step) => (
        <Turn key={step.turn.key} step={step} replies={replies} {...going} />
      ))}
      {strays.map((search, index) => (
        <SearchMade key={index} search={search} {...going} />
      ))}
    </div>
  );
}

/** `3 premises, 2 attacks, 1 conceded`. */
export function countPoints({ steps }: ClaimTrace): string {
  const replies = steps.flatMap((step) => step.replies);
  const premises = steps.flatMap((step) => step.premises).length;
  const attacks = steps.flatMap((step) => step.attacks).length;
  const conceded = new Set(replies.filter(({ concedes }) => concedes).map(({ attack }) => attack)).size;
  return [
    premises > 0 && formatPlural(premises, 'premise'),
    attacks > 0 && formatPlural(attacks, 'attack'),
    conceded > 0 && `${conceded} conceded`,
  ]
    .filter(Boolean)
    .join(', ');
}

function Turn({ step, replies, ...going }: { step: TracedStep; replies: readonly TracedReply[] } & Going) {
  const { turn, premises, findings, standing } = step;
  const Heading = useReport() ? 'h4' : 'h3';
  return (
    <section id={step.anchor} className="grid gap-2 border-l-2 pl-3">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <Heading className="font-medium">{nameStep(turn.key)}</Heading>
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
            This seat gave no usable answer ({describeFailure(turn.fallback.reason)}), so a fallback was used.{' '}
            <PlainText text={turn.fallback.detail} />
          </span>
        </p>
      )}
      {turn.statement !== '' && <Paragraph text={turn.statement} />}
      {premises.map(({ number, premise, anchor, citations }) => (
        <Point key={number} anchor={anchor} tone="for" title={`Premise ${number}`} words={premise}>
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
          replies={replies.filter((reply) => reply.target === attack)}
          {...going}
        />
      ))}
      {step.replies.map((reply) => reply.target === null && <ReplyPoint key={reply.anchor} reply={reply} {...going} />)}
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
        <Paragraph key={index} text={note} className="text-sm text-quiet" />
      ))}
    </section>
  );
}

const points = { for: 'border-exoneration', against: 'border-risk', conceded: 'border-caution', none: 'border-line' };

interface PointProps {
  anchor: string;
  tone: keyof typeof points;
  title: ReactNode;
  badge?: ReactNode;
  words: string;
  children?: ReactNode;
}

function Point({ anchor, tone, title, badge, words, children }: PointProps) {
  return (
    <div id={anchor} className={classes('grid gap-1.5 rounded-lg border-l-4 bg-paper px-3 py-2', points[tone])}>
      <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
        <span>{title}</span> {badge}
      </p>
      {words !== '' && <Paragraph text={words} />}
      {children}
    </div>
  );
}

function AttackPoint({ attack, replies, ...going }: { attack: TracedAttack; replies: readonly TracedReply[] } & Going) {
  const { anchor, number, kind, point, citations, searches, missing, stands } = attack;
  const badge = stands === null ? null : stands ? <Badge tone="risk">still stands</Badge> : <Badge>answered</Badge>;
  return (
    <Point
      anchor={anchor}
      tone="against"
      title={
        <>
          Attack {number} on <Target attack={attack} />: {nameAttack(kind).toLowerCase()}
        </>
      }
      badge={badge}
      words={point}
    >
      <CitationList citations={citations} {...going} />
      {searches.map((search, index) => (
        <SearchMade key={index} search={search} {...going} />
      ))}
      {missing.length > 0 && searches.length === 0 && (
        <p className="words text-sm text-risk">
          Claims that something is missing (<Terms terms={missing} />
          ), but no search for it is on record, so it is not accepted.
        </p>
      )}
      {replies.map((reply) => (
        <ReplyPoint key={reply.anchor} reply={reply} {...going} />
      ))}
    </Point>
  );
}

/** What an attack is on. A report leads to it, and to the words that are attacked. */
function Target({ attack: { premise, target } }: { attack: TracedAttack }) {
  const report = useReport();
  const name = premise === 0 ? 'the claim itself' : `premise ${premise}${target ? '' : ', which is not there'}`;
  if (!report || !target) return name;
  const numbers = target.citations.flatMap(
    ({ grounding }) => (grounding && report.citations.numberOf(markPlace(grounding))) ?? [],
  );
  return (
    <>
      <a href={`#${target.anchor}`} className="text-link underline">
        {name}
      </a>
      {[...new Set(numbers)].map((number) => (
        <Fragment key={number}>
          {' '}
          <PassageLink number={number} />
        </Fragment>
      ))}
    </>
  );
}

function ReplyPoint({ reply, ...going }: { reply: TracedReply } & Going) {
  const { anchor, concedes, attack, target, point, citations } = reply;
  return (
    <div className="mt-1 rounded-lg border bg-surface">
      <Point
        anchor={anchor}
        tone={concedes ? 'conceded' : 'for'}
        title={`${concedes ? 'Concedes' : 'Rebuts'} attack ${attack}${target ? '' : ', which is not there'}`}
        words={point}
      >
        <CitationList citations={citations} {...going} />
      </Point>
    </div>
  );
}

function Terms({ terms }: { terms: readonly string[] }) {
  return terms.map((term, index) => (
    <Fragment key={index}>
      {index > 0 && ', '}“<PlainText text={term} />”
    </Fragment>
  ));
}

function SearchMade({ search: { terms, blocksRead, accepted, found }, ...going }: { search: TracedSearch } & Going) {
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {accepted ? <Badge tone="exoneration">absence confirmed</Badge> : <Badge tone="risk">absence rejected</Badge>}
        <span className="words">
          Searched {blocksRead} {blocksRead === 1 ? 'block' : 'blocks'} for <Terms terms={terms} />:{' '}
          {found.length === 0 ? 'not found.' : `found ${found.length === 1 ? 'once' : `${found.length} times`}.`}
        </span>
      </p>
      {found.map(({ citation, term, near }) => (
        <div key={citation.index}>
          <CitationButton citation={citation} {...going} />
          <p className="text-quiet">
            {near ? 'near match for' : 'match for'} <Terms terms={[term]} />
          </p>
        </div>
      ))}
    </div>
  );
}

function FindingPoint({ finding, ...going }: { finding: TracedFinding } & Going) {
  const { anchor, name, holds, strength, why, citations } = finding;
  const title =
    name === 'support'
      ? `Supported by the dossier? ${holds ? 'Yes' : 'No'}${strength ? `, ${nameStrength(strength)}` : ''}`
      : `Contradicted by the dossier? ${holds ? 'Yes' : 'No'}`;
  return (
    <Point anchor={anchor} tone={holds ? (name === 'support' ? 'for' : 'against') : 'none'} title={title} words={why}>
      <CitationList citations={citations} {...going} />
    </Point>
  );
}
