import type { Disclosed } from '../debate/index.ts';
import { formatPlural } from './describe.ts';

const kinds: Record<string, readonly [string, string]> = {
  mail: ['mail address', 'mail addresses'],
  phone: ['phone number', 'phone numbers'],
  person: ['person', 'people'],
  handle: ['handle', 'handles'],
  account: ['bank account', 'bank accounts'],
  card: ['card number', 'card numbers'],
  id: ['national id', 'national ids'],
  ip: ['IP address', 'IP addresses'],
  login: ['login', 'logins'],
  token: ['token in a link', 'tokens in links'],
};

/** `2 mail addresses, 1 phone number`; empty without any. */
export function describePersonal(counts: Disclosed['masked']): string {
  return Object.entries(kinds)
    .flatMap(([kind, [one, many]]) => {
      const count = counts[kind as keyof typeof counts] ?? 0;
      return count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
    })
    .join(', ');
}

/** What became of personal data, images and recordings, a phrase each. */
export function listDisclosed({ masked, unmasked, images, withheldImages, recordings }: Disclosed): string[] {
  const [hidden, open] = [describePersonal(masked), describePersonal(unmasked)];
  return [
    hidden && `masked: ${hidden}`,
    open && `as it is: ${open}`,
    images > 0 && `${formatPlural(images, 'image')} sent`,
    withheldImages > 0 && `${formatPlural(withheldImages, 'image')} withheld`,
    recordings > 0 && `${formatPlural(recordings, 'recording')} sent`,
  ].filter((phrase): phrase is string => typeof phrase === 'string' && phrase !== '');
}
