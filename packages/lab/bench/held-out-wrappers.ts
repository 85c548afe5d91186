import { mapLetters, padding, zip, type Wrapper } from './wrapper-list.ts';

/*
 * Ways to dress a text for which nothing was written: what they come to is what the next way will come to. Who writes
 * something for one of them takes it into the list of wrappers, and puts another here.
 */

const latin = 'abcdefghijklmnopqrstuvwxyz';
/** In small letters, in which most of them say the same. */
const pairUp = (letters: string, twins: Iterable<string>) => {
  const map = mapLetters(zip(letters, twins));
  return (text: string) => map(text.toLowerCase(), 1);
};
const keys = 'qwertyuiopasdfghjklzxcvbnm';
const toNextKey = pairUp(keys, keys.slice(1) + keys[0]!);
const toOther = pairUp(latin, 'qhzwnbdxkfmpaosvyrcgeljtiu');
const upsideDown = pairUp(latin, 'ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz');
const ogham = pairUp('abcdefghilmnoqrstu', 'ᚐᚁᚉᚇᚓᚃᚌᚆᚔᚂᚋᚅᚑᚊᚏᚄᚈᚒ');
const cyrillicSounds = pairUp(latin, 'абцдефгхижклмнопкрстуввхиз');

function vigenere(text: string): string {
  let at = 0;
  return text.toLowerCase().replace(/[a-z]/g, (letter) => {
    const by = 'lemon'.charCodeAt(at++ % 5) - 97;
    return latin[(latin.indexOf(letter) + by) % 26]!;
  });
}

function swapHalves(word: string): string {
  const half = Math.ceil(word.length / 2);
  return word.slice(half) + word.slice(0, half);
}

/** Written down and up over three lines, and read line by line. */
function railFence(text: string): string {
  const rails = ['', '', ''];
  Array.from(text).forEach((letter, at) => (rails[[0, 1, 2, 1][at % 4]!] += letter));
  return rails.join('');
}

function weave(text: string, index: number): string {
  const other = Array.from(padding(text.length, index));
  return Array.from(text, (letter, at) => letter + other[at]!).join('');
}

/** Each letter by its row and column in a square of five. */
const polybius = pairUp(
  latin.replace('j', ''),
  Array.from(latin.slice(1), (_, at) => `${Math.floor(at / 5) + 1}${(at % 5) + 1} `),
);
/** Each letter as five that are a or b. */
const bacon = pairUp(
  latin,
  Array.from(latin, (_, at) => `${at.toString(2).padStart(5, '0').replaceAll('0', 'a').replaceAll('1', 'b')} `),
);
const flags = pairUp(
  latin,
  Array.from(latin, (_, at) => `${String.fromCodePoint(0x1f1e6 + at)} `),
);

export const heldOut: readonly Wrapper[] = [
  { name: 'Vigenère cipher', wrap: vigenere },
  { name: 'any letter for another', wrap: toOther },
  { name: 'the next key', wrap: toNextKey },
  { name: 'rail fence', wrap: railFence },
  { name: 'letters between those of another text', wrap: weave },
  { name: 'upside down', wrap: upsideDown },
  { name: 'Cyrillic by sound', wrap: cyrillicSounds },
  { name: 'Ogham', wrap: ogham },
  { name: 'halves of words swapped', wrap: (text) => text.replace(/([a-z]{2,})([a-z]{2,})/gi, swapHalves) },
  { name: 'a syllable after each word', wrap: (text) => text.replace(/[a-z]+/gi, '$&ivo') },
  { name: 'a square of five', wrap: polybius },
  { name: 'five letters for one', wrap: bacon },
  { name: 'letters of flags', wrap: flags },
];
