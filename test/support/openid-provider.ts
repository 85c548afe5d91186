import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface OpenIdProvider extends AsyncDisposable {
  issuer: string;
}

/** A real OpenID provider (oidc-provider) in a process of its own; it signs in whomever its page is told. */
export async function startOpenIdProvider(redirects: readonly string[]): Promise<OpenIdProvider> {
  const child = fork(`${import.meta.dirname}/openid-provider-process.ts`, [JSON.stringify(redirects)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [issuer] = (await once(child, 'message')) as [string];
  return {
    issuer,
    async [Symbol.asyncDispose]() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

export const openIdClient = { clientId: 'agon', clientSecret: 'a secret of the tests' };
