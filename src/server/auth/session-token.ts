import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { isSameText } from './same-text.ts';

/* A session as a browser keeps it: `<id of the key>.<its end in seconds>.<what tells it from others>.<signature>`. The server keeps nothing of it while it lasts. */

export interface SessionToken {
  key: string;
  /** In milliseconds. */
  endsAt: number;
}

const pattern = /^([\w-]{1,40})\.(\d{1,12})\.([\w-]{12})\.([\w-]{43})$/;

/**
 * Writes and reads sessions by the secret of the installation, which other things are signed with, too: the label
 * keeps them apart.
 */
export interface SessionSigner {
  write(token: SessionToken, secretHash: string): string;
  /** Null for what cannot be one of our sessions. Whether it was signed is to be asked with what is kept of its key. */
  read(text: string): (SessionToken & { isSignedFor(secretHash: string): boolean }) | null;
}

export function sessionSigner(installationSecret: string): SessionSigner {
  const secret = Buffer.from(hkdfSync('sha256', installationSecret, '', 'agon: sessions', 32));
  /**
   * The hash of the key's own secret is signed along: whoever knows the installation's secret alone opens no session
   * of others.
   */
  const signed = (said: string, secretHash: string) =>
    createHmac('sha256', secret).update(`${said}.${secretHash}`).digest('base64url');

  return {
    write({ key, endsAt }, secretHash) {
      const said = `${key}.${Math.floor(endsAt / 1000)}.${randomBytes(9).toString('base64url')}`;
      return `${said}.${signed(said, secretHash)}`;
    },
    read(text) {
      const [, key, seconds, own, signature] = pattern.exec(text) ?? [];
      if (key === undefined || seconds === undefined || own === undefined || signature === undefined) return null;
      return {
        key,
        endsAt: Number(seconds) * 1000,
        isSignedFor: (secretHash) => isSameText(signature, signed(`${key}.${seconds}.${own}`, secretHash)),
      };
    },
  };
}
