import type { BenchBlock, ItemName, MeasuredSet } from '@agonhq/bench/report/block';
import { timeBlock } from '@agonhq/bench/report/blocks/cost';
import { nameItem } from '@agonhq/bench/report/blocks/unsettled';
import { type ChosenItems, chooseItems } from '@agonhq/bench/report/items/choose-items';
import {
  type BenchReportOptions,
  describeSet,
  detailBlocks,
  type LearningPage,
  overviewBlocks,
  qualityBlocks,
} from '@agonhq/bench/report/set-blocks';
import { shortenName, writePlural } from '@agonhq/bench/report/write-values';
import { readAsset } from '@agonhq/engine/package-folder';
import { shortenCharacters } from '@agonhq/engine/text';
import type { ReactNode } from 'react';
import { Section } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { drawPage } from '../report-page.tsx';
import { BlockView, CodeName } from './block-view.tsx';
import { DebateReceipts } from './debate-gains.tsx';
import { Items } from './items.tsx';
import { OwnWords } from './plot.tsx';

/** All that was measured on several sets of data as one page that needs nothing else. */
export function drawBenchPage(sets: readonly MeasuredSet[], options: BenchReportOptions, styles: string): string {
  const systems = new Set(sets.flatMap(({ result }) => result.systems.map(({ name }) => name))).size;
  const items = sets.reduce((sum, { result }) => sum + result.items.length, 0);
  const chosen = chooseItems(sets.map(({ result }) => result));
  const title = shortenName(options.title);
  const { about = [] } = options;
  return drawPage({
    title,
    name: 'bench',
    about: [writePlural(systems, 'system'), writePlural(sets.length, 'data set'), writePlural(items, 'item')].join(
      ' · ',
    ),
    foot:
      'This page loads nothing and sends nothing; its one script sorts tables and filters items. Intervals are 95 % ' +
      'intervals; the same judgements give the same intervals.',
    styles,
    script: readAsset('bench-report.js'),
    children: (
      <>
        <h1 className="text-4xl">
          <OwnWords text={title} />
        </h1>
        {about.length > 0 && (
          <Facts
            facts={about.map(({ name, value }) => [
              shortenName(name),
              <OwnWords text={shortenCharacters(value, 200)} />,
            ])}
          />
        )}
        {sets.length > 1 && (
          <Contents
            label="Data sets"
            links={sets.map(({ result }, place) => [`set-${place + 1}`, shortenName(result.data.title)])}
          />
        )}
        {overviewBlocks(sets, options).map((block) => (
          <EverySet key={block.title} title={block.title} block={block} />
        ))}
        {sets.map((set, place) => (
          <SetView key={place} set={set} chosen={chosen[place]!} number={place + 1} options={options} />
        ))}
        {options.times && <EverySet title="Time" block={timeBlock(sets)} />}
      </>
    ),
  });
}

function EverySet({ title, block }: { title: string; block: BenchBlock }) {
  return (
    <Section title={title}>
      <BlockView block={block} of="every set" />
    </Section>
  );
}

function Contents({ label, links }: { label: string; links: readonly (readonly [anchor: string, title: string])[] }) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-5 gap-y-1 print:hidden">
      {links.map(([anchor, title]) => (
        <a key={anchor} href={`#${anchor}`} className="text-link underline">
          <OwnWords text={title} />
        </a>
      ))}
    </nav>
  );
}

interface SetViewProps {
  set: MeasuredSet;
  chosen: ChosenItems;
  number: number;
  options: BenchReportOptions;
}

function SetView({ set, chosen, number, options }: SetViewProps) {
  const { result, figures } = set;
  const { title, file, sha256 } = result.data;
  const { items, labels, parameters } = describeSet(set);
  const of = `set ${number}`;
  const anchor = (place: number) => `item-${number}-${place + 1}`;
  // A line of the data may hold several items, each with an id of its own.
  const addressed = ({ line, name }: ItemName) => `${line} ${name}`;
  const shown = new Map(chosen.views.map((view) => [addressed(nameItem(view.item)), anchor(view.place)]));
  const linkOf = (item: ItemName) => shown.get(addressed(item)) ?? null;
  const partsOf = (blocks: readonly BenchBlock[], label = of): Part[] =>
    blocks.map((block) => [block.title, <BlockView block={block} of={label} linkOf={linkOf} />]);
  const parts: Part[] = [
    ...partsOf(qualityBlocks(set, options)),
    ...(figures.receipts.length > 0
      ? [['What the debate adds', <DebateReceipts set={set} linkOf={linkOf} />] as const]
      : []),
    ...partsOf(detailBlocks(set, options.times)),
    ...partsOf(set.own, `${of}, ${result.job}`),
    ['Items', <Items result={result} chosen={chosen} anchor={anchor} of={of} />],
  ];
  return (
    <section id={`set-${number}`} className="grid gap-4 border-t pt-8">
      <h2 className="text-3xl">
        <OwnWords text={shortenName(title)} />
      </h2>
      <p className="text-quiet">
        {items}:{' '}
        {labels.map(({ label, items: count }, index) => (
          <span key={label}>
            {index > 0 && ', '}
            {count} <OwnWords text={shortenName(label)} />
          </span>
        ))}{' '}
        · {parameters} ·{' '}
        {file !== title && (
          <>
            <CodeName text={shortenName(file)} /> ·{' '}
          </>
        )}
        sha256 <CodeName text={shortenCharacters(sha256, 64)} />
      </p>
      {result.notes.length > 0 && (
        <ul className="list-disc pl-5">
          {result.notes.map((note) => (
            <li key={note}>
              <OwnWords text={shortenCharacters(note, 600)} />
            </li>
          ))}
        </ul>
      )}
      <Contents
        label={`Tables and figures of ${of}`}
        links={parts.map(([name], index) => [`set-${number}-${index + 1}`, name])}
      />
      {parts.map(([name, body], index) => (
        <article key={index} id={`set-${number}-${index + 1}`} className="mt-6 grid gap-3">
          <h3 className="text-lg font-semibold">{name}</h3>
          {body}
        </article>
      ))}
    </section>
  );
}

type Part = readonly [title: string, body: ReactNode];

/** The experiment with learning on several sets of data as one page that needs nothing else. */
export function drawLearningPage({ about, sets }: LearningPage, styles: string): string {
  return drawPage({
    title: 'Learning bench',
    name: 'learning bench',
    about,
    foot: 'This page runs no script and loads nothing. The same judgements give the same intervals.',
    styles,
    children: (
      <>
        <h1 className="text-4xl">Learning from mistakes</h1>
        {sets.map(({ file, sha256, curator, block }, number) => (
          <section key={number} className="grid gap-4 border-t pt-8">
            <h2 className="text-3xl">
              <OwnWords text={file} />
            </h2>
            <p className="text-quiet">
              Curator <CodeName text={curator} />. sha256 <CodeName text={sha256} />
            </p>
            <BlockView block={block} />
          </section>
        ))}
      </>
    ),
  });
}
