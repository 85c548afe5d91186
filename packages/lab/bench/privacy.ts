import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findPersonalData } from '@agonhq/engine/personal-data';

/*
 * `npm run bench:privacy`: what is masked in everyday texts, which hardly hold personal data, and what is missed in
 * texts that were written after the rules (packages/lab/bench/privacy/held-out.jsonl).
 */

interface HeldOut {
  text: string;
  personal: [kind: string, value: string][];
}

const here = import.meta.dirname;
const readLines = (file: string) => readFileSync(path.join(here, file), 'utf8').split('\n').filter(Boolean);

/** The words of a row, without its id and what it is called. */
function listTexts({ text, prompt, response }: Partial<Record<'text' | 'prompt' | 'response', string>>): string[] {
  return [text, prompt, response].filter((words) => words !== undefined);
}

for (const file of ['everyday/texts.jsonl', 'everyday/exchanges.jsonl', 'languages.jsonl']) {
  const texts = readLines(file).flatMap((line) => listTexts(JSON.parse(line) as object));
  const began = performance.now();
  const masked = texts.flatMap((text) =>
    findPersonalData(text).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)} (${text.slice(0, 60)}…)`),
  );
  const ms = performance.now() - began;
  console.log(`${file}: ${masked.length} masks in ${texts.length} texts, ${(ms / texts.length).toFixed(2)} ms a text`);
  for (const mask of masked) console.log(`  ${mask}`);
}

let [found, partly, all, extra] = [0, 0, 0, 0];
for (const line of readLines('privacy/held-out.jsonl')) {
  const { text, personal } = JSON.parse(line) as HeldOut;
  const finds = findPersonalData(text).map(({ kind, start, end }) => ({ kind, value: text.slice(start, end) }));
  all += personal.length;
  for (const [kind, value] of personal) {
    if (finds.some((find) => find.kind === kind && find.value === value)) found += 1;
    else if (finds.some((find) => find.value.includes(value) || value.includes(find.value))) {
      partly += 1;
      console.log(`  otherwise: ${kind} ${value}: ${JSON.stringify(finds)}`);
    } else console.log(`  missed: ${kind} ${value}`);
  }
  const wrong = finds.filter(
    (find) => !personal.some(([, value]) => value.includes(find.value) || find.value.includes(value)),
  );
  extra += wrong.length;
  for (const { kind, value } of wrong) console.log(`  wrongly: ${kind} ${value} (${text})`);
}
console.log(`held out: ${found} of ${all} found exactly, ${partly} in part or as another kind, ${extra} wrong`);
