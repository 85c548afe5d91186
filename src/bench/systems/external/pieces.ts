/** A text in pieces that a service takes, cut between words where there are some and never within a character. */
export function inPieces(text: string, mostCharacters: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > mostCharacters) {
    const end = cutBefore(rest, mostCharacters);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return rest.trim() === '' ? pieces : [...pieces, rest];
}

function cutBefore(text: string, most: number): number {
  const space = text.slice(0, most).search(/\s\S*$/u);
  if (space > most / 2) return space + 1;
  const lone = text.charCodeAt(most - 1);
  return lone >= 0xd800 && lone <= 0xdbff ? most - 1 : most;
}
