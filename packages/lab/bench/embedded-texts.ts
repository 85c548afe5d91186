/* Posts of our own making, every one different, so that nothing that was read before helps with the next. */

const openings = [
  'My neighbour told me',
  'Somebody on the forum wrote',
  'The newspaper of our town says',
  'At the meeting last night we heard',
  'My sister insists',
  'The man at the counter shouted',
  'A friend from school asked me whether it is true',
  'The coach explained to all of us',
  'I keep reading everywhere',
  'Nobody in the office believes',
];
const middles = [
  'that the new bakery closes before noon',
  'that people like him should be thrown out',
  'that the old bridge will be torn down',
  'that someone broke into three cars',
  'that the vaccine is a trick of the companies',
  'that you can pick a lock with two hairpins',
  'that the trains were late again',
  'that those kids deserve a beating',
  'that the river rose by two metres',
  'that the company never paid its workers',
  'that her ex keeps following her home',
  'that the concert was moved to the park',
];
const endings = [
  'and I do not know what to make of it',
  'so tell me what you would do now',
  'which makes me furious every single time',
  'but the pictures show something else',
  'and the whole street is talking about it',
  'so we are going to look at it ourselves',
  'although nobody has seen any proof',
  'and honestly it made me laugh',
];

const of = <Item>(items: readonly Item[], index: number) => items[index % items.length]!;

/** A post of 20 to 40 word pieces. Equal indexes give equal posts, others do not. */
export function shortText(index: number): string {
  const ending = Math.floor(index / openings.length);
  return `${of(openings, index)} ${of(middles, index * 7 + ending)}, ${of(endings, ending)} (${index}).`;
}

/** A post of about 250 word pieces. */
export function longText(index: number): string {
  return Array.from({ length: 9 }, (_, part) => shortText(1_000_000 + index * 9 + part)).join(' ');
}
