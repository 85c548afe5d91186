/** A text in a cipher that no technique undoes. */
export function vigenere(text: string, key = 'lemon'): string {
  let at = 0;
  return text.toLowerCase().replace(/[a-z]/g, (letter) => {
    const moved = letter.charCodeAt(0) + key.charCodeAt(at++ % key.length) - 2 * 97;
    return String.fromCharCode((moved % 26) + 97);
  });
}
