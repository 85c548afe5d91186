import { listWords } from '../src/text/index.ts';
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
const toNextVowel = pairUp('aeiou', 'eioua');
const cyrillicSounds = pairUp(latin, 'абцдефгхижклмнопкрстуввхиз');
const spelling = pairUp(
  latin,
  listWords(`
    alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo
    sierra tango uniform victor whiskey xray yankee zulu`).map((word) => `${word} `),
);
const numbers = pairUp(
  latin,
  Array.from(latin, (_, at) => `${at + 1} `),
);

function vigenere(text: string): string {
  let at = 0;
  return text.toLowerCase().replace(/[a-z]/g, (letter) => {
    const by = 'lemon'.charCodeAt(at++ % 5) - 97;
    return latin[(latin.indexOf(letter) + by) % 26]!;
  });
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

/** The first and the last letter stay. */
function shuffleInside(text: string): string {
  return text.replace(/[a-z]{4,}/gi, (word) => {
    const inside = Array.from(word.slice(1, -1));
    const order = [...inside.filter((_, at) => at % 2 === 1), ...inside.filter((_, at) => at % 2 === 0)];
    return `${word[0]}${order.join('')}${word.at(-1)}`;
  });
}

const rot47 = (text: string) =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(((sign.charCodeAt(0) - 33 + 47) % 94) + 33));

export const heldOut: readonly Wrapper[] = [
  { name: 'Vigenère cipher', wrap: vigenere },
  { name: 'any letter for another', wrap: toOther },
  { name: 'the next key', wrap: toNextKey },
  { name: 'rail fence', wrap: railFence },
  { name: 'rot47', wrap: rot47 },
  {
    name: 'robbers’ language',
    wrap: (text) => text.replace(/[bcdfghj-np-tv-z]/gi, (letter) => `${letter}o${letter.toLowerCase()}`),
  },
  { name: 'last letter first', wrap: (text) => text.replace(/([a-z]+)([a-z])/gi, '$2$1') },
  { name: 'each vowel the next one', wrap: toNextVowel },
  { name: 'letters between those of another text', wrap: weave },
  { name: 'letters inside words shuffled', wrap: shuffleInside },
  { name: 'upside down', wrap: upsideDown },
  { name: 'Cyrillic by sound', wrap: cyrillicSounds },
  { name: 'spelling alphabet', wrap: spelling },
  { name: 'numbers for letters', wrap: (text) => numbers(text.replaceAll(' ', '/ ')) },
  { name: 'Ogham', wrap: ogham },
];
