const pieceLength = 64 * 1024;

/** Lines in pieces that are worth sending. */
export async function* inPieces(
  lines: AsyncIterable<string>,
  made: (piece: string) => string = (piece) => piece,
): AsyncGenerator<string, void, void> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield made(piece);
    piece = '';
  }
  if (piece !== '') yield made(piece);
}
