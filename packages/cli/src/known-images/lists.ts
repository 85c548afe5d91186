import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import { hashBits, leastQuality } from '@agonhq/engine/fingerprint';
import type { KnownImageLists } from '@agonhq/core/known-images';
import { addConfigFlag, addExamples, collect, setAction } from '../define-command.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

interface ListFlags {
  config?: string;
  list?: string[];
  json?: boolean;
}

/** `agon known-images hash FILE…` */
export function defineKnownImagesHash(command: Command): void {
  command
    .description('Print the perceptual hash (PDQ) of images. Nothing is judged, recorded or sent.')
    .argument('<files...>', 'images')
    .option('--json', 'print one JSON object per line');
  addExamples(command, ['agon known-images hash photo.jpg', 'agon known-images hash *.png --json']);
  setAction(command, async (files: string[], flags: ListFlags) => {
    for (const file of files) {
      const { pdq, quality } = await hashFile(file);
      const note = quality < leastQuality ? `  ${style('yellow', 'too plain to tell copies by')}` : '';
      printLines([
        flags.json
          ? JSON.stringify({ file, pdq, quality })
          : `${pdq}  ${style('dim', `quality ${quality}`)}  ${sanitize(file)}${note}`,
      ]);
    }
  });
}

/** `agon known-images add FILE --to LIST` */
export function defineKnownImagesAdd(command: Command): void {
  command
    .description('Add images to a list by their hashes. The images themselves are not kept.')
    .argument('<files...>', 'images')
    .requiredOption('--to <list>', 'list to add to: .txt, .csv or .json; made where there is none')
    .option('--label <text>', 'what the images are')
    .option('--source <text>', 'where the entries come from')
    .option('--crops', 'add what is left when edges are cut off too, so that cropped copies are found');
  addExamples(command, [
    'agon known-images add attack.png --to lists/ours.csv --label "the attack of May" --source us',
  ]);
  setAction(
    command,
    async (files: string[], flags: { to: string; label?: string; source?: string; crops?: boolean }) => {
      const { addToKnownImageList } = await import('@agonhq/core/known-images');
      for (const file of files) {
        const { pdq, quality, crops = [] } = await hashFile(file);
        if (quality < leastQuality)
          throw badFlag(`${file} is too plain: its hash would be that of many images.`, 'Add images with more to see.');
        const about = { label: flags.label ?? null, source: flags.source ?? null };
        const isNew = await addToKnownImageList(flags.to, { hash: pdq, ...about });
        if (flags.crops) for (const hash of crops) await addToKnownImageList(flags.to, { hash, ...about });
        printLines([`${isNew ? 'Added' : 'Already there'}: ${pdq}  ${sanitize(file)}`]);
      }
    },
  );
}

/** `agon known-images check FILE…` */
export function defineKnownImagesCheck(command: Command): void {
  command
    .description('Say which images are on a list. Nothing is judged, recorded or sent. Exits with code 3 if one is.')
    .argument('<files...>', 'images');
  addListFlags(command);
  addExamples(command, ['agon known-images check upload.jpg', 'agon known-images check *.jpg --list lists/ours.csv']);
  setAction(command, async (files: string[], flags: ListFlags) => {
    const lists = await openLists(flags);
    let found = 0;
    for (const file of files) {
      const fingerprint = await hashFile(file);
      const known = await lists.find([{ id: file, fingerprint }]);
      found += known.length;
      if (flags.json) {
        const hits = known.map(({ list, entry, distance, mirrored }) => ({ list, entry, distance, mirrored }));
        printLines([JSON.stringify({ file, pdq: fingerprint.pdq, known: hits })]);
      }
      if (!flags.json && known.length === 0) printLines([`${style('green', 'on no list')}  ${sanitize(file)}`]);
      for (const { list, entry, distance, mirrored } of flags.json ? [] : known)
        printLines([
          `${style('red', `on ${sanitize(list)}`)}  distance ${distance} of ${hashBits}${mirrored ? ', mirrored' : ''}  ` +
            `${sanitize(file)}${entry.label === null ? '' : style('dim', `  ${sanitize(entry.label)}`)}`,
        ]);
    }
    return found > 0 ? 3 : 0;
  });
}

/** `agon known-images lists` */
export function defineKnownImagesLists(command: Command): void {
  command.description('Show which lists of known images are in force, and check that they can be read.');
  addListFlags(command);
  addExamples(command, ['agon known-images lists', 'agon known-images lists --json']);
  setAction(command, async (flags: ListFlags) => {
    const lists = await (await openLists(flags)).describe();
    if (flags.json) return printLines(lists.map((list) => JSON.stringify(list)));
    printLines(
      lists.length === 0
        ? ['No lists: name them under knownImages in agon.config.* or in AGON_KNOWN_IMAGES.']
        : lists.map(
            ({ name, file, entries, changedAt }) =>
              `${style('cyan', sanitize(name))}  ${printCount(entries, 'hash')}  ` +
              style('dim', `changed ${changedAt.slice(0, 10)}  ${sanitize(file)}`),
          ),
    );
  });
}

function addListFlags(command: Command): void {
  addConfigFlag(command)
    .option('--list <file>', 'list to check against, instead of those of the settings (repeatable)', collect)
    .option('--json', 'print one JSON object per line');
}

async function openLists(flags: ListFlags): Promise<KnownImageLists> {
  const { openKnownImageLists } = await import('@agonhq/core/known-images');
  const { readInstallation } = await import('../read-settings.ts');
  const { knownImages = [], knownImageDistance } = (await readInstallation(flags)).settings;
  return openKnownImageLists(flags.list ?? knownImages, { distance: knownImageDistance });
}

async function hashFile(file: string) {
  const { inspectImage, loadImage } = await import('@agonhq/models/senses');
  return (await inspectImage(await loadImage(file), file)).fingerprint;
}
