import { code, html, inline, page, section, type Markup } from '@agonhq/engine/reports';
import { readAsset } from '@agonhq/engine/package-folder';
import type { BenchBlock, ItemName, MeasuredSet } from './block.ts';
import { blockToHtml, type BlockPlace } from './block-markup.ts';
import { timeBlock } from './blocks/cost.ts';
import { nameItem } from './blocks/unsettled.ts';
import { shortenName, writePlural } from './write-values.ts';
import { chooseItems, type ChosenItems } from './items/choose-items.ts';
import { itemsToHtml } from './items/items-markup.ts';
import { debateGainsToHtml } from './blocks/debate-gains.ts';
import { describeSet, detailBlocks, overviewBlocks, qualityBlocks, type BenchReportOptions } from './set-blocks.ts';
import { shortenCharacters } from '@agonhq/engine/text';

/** All that was measured on several sets of data as one page that needs nothing else. */
export function renderBenchPage(sets: readonly MeasuredSet[], options: BenchReportOptions): string {
  const systems = new Set(sets.flatMap(({ result }) => result.systems.map(({ name }) => name))).size;
  const items = sets.reduce((sum, { result }) => sum + result.items.length, 0);
  const chosen = chooseItems(sets.map(({ result }) => result));
  const size = [writePlural(systems, 'system'), writePlural(sets.length, 'data set'), writePlural(items, 'item')].join(
    ' · ',
  );
  const links = sets.map(
    ({ result }, place) => html`<a href="#set-${place + 1}">${inline(shortenName(result.data.title))}</a>`,
  );
  const title = shortenName(options.title);
  return page(
    title,
    html`<header class="masthead">
        <p><b>Agon</b> bench</p>
        <p class="small">${size}</p>
      </header>
      <main>
        <h1>${inline(title)}</h1>
        ${
          options.about &&
          options.about.length > 0 &&
          html`<dl class="about">
            ${options.about.map(
              ({ name, value }) =>
                html`<div>
                  <dt>${inline(shortenName(name))}</dt>
                  <dd>${inline(shortenCharacters(value, 200))}</dd>
                </div>`,
            )}
          </dl>`
        }
        ${sets.length > 1 && html`<nav class="contents" aria-label="Data sets">${links}</nav>`}
        ${overviewBlocks(sets, options).map((block) => everySetSection(block.title, block))}
        ${sets.map((set, place) => setSection(set, chosen[place]!, place + 1, options))}
        ${options.times && everySetSection('Time', timeBlock(sets))}
      </main>
      <footer class="small">
        This page loads nothing and sends nothing; its one script sorts tables and filters items. Intervals are 95 %
        intervals; the same judgements give the same intervals.
      </footer>`,
    readAsset('bench-report.css') + readAsset('bench-sets.css'),
    readAsset('bench-report.js'),
  );
}

interface Part {
  title: string;
  body: Markup;
}

function setSection(set: MeasuredSet, chosen: ChosenItems, number: number, options: BenchReportOptions): Markup {
  const { result, figures } = set;
  const { items, labels, parameters } = describeSet(set);
  const title = shortenName(result.data.title);
  const of = `set ${number}`;
  const anchor = (place: number) => `item-${number}-${place + 1}`;
  // A line of the data may hold several items, each with an id of its own.
  const addressed = ({ line, name }: ItemName) => `${line} ${name}`;
  const shown = new Map(chosen.views.map((view) => [addressed(nameItem(view.item)), anchor(view.place)]));
  const place: BlockPlace = { of, linkOf: (item) => shown.get(addressed(item)) ?? null };
  const asPart = (block: BenchBlock): Part => ({ title: block.title, body: blockToHtml(block, place) });
  const parts: Part[] = [
    ...qualityBlocks(set, options).map(asPart),
    ...(figures.receipts.length > 0
      ? [{ title: 'What the debate adds', body: debateGainsToHtml(set, place.linkOf!) }]
      : []),
    ...detailBlocks(set, options.times).map(asPart),
    ...set.own.map((block) => ({
      title: block.title,
      body: blockToHtml(block, { ...place, of: `${of}, ${result.job}` }),
    })),
    { title: 'Items', body: itemsToHtml(result, chosen, anchor, of) },
  ];
  const counts = labels.map(
    ({ label, items: count }, index) => html`${index > 0 && ', '}${count} ${inline(shortenName(label))}`,
  );
  const notes = result.notes.map((note) => html`<li>${inline(shortenCharacters(note, 600))}</li>`);
  return html`<section class="set" id="set-${number}">
    <h2>${inline(title)}</h2>
    <p class="lead">
      ${items}: ${counts} · ${parameters} ·
      ${result.data.file !== result.data.title && html`${code(shortenName(result.data.file))} · `}sha256
      ${code(shortenCharacters(result.data.sha256, 64))}
    </p>
    ${
      notes.length > 0 &&
      html`<ul class="notes bullets">
        ${notes}
      </ul>`
    }
    <nav class="contents" aria-label="Tables and figures of ${of}">
      ${parts.map((part, index) => html`<a href="#set-${number}-${index + 1}">${part.title}</a>`)}
    </nav>
    ${parts.map(
      (part, index) =>
        html`<article id="set-${number}-${index + 1}">
          <h3>${part.title}</h3>
          ${part.body}
        </article>`,
    )}
  </section>`;
}

function everySetSection(title: string, block: BenchBlock): Markup {
  return section(title, null, blockToHtml(block, { of: 'every set' }));
}
