/* A provider whose people are in a table, and whose page asks for a name and nothing else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { openIdClient } from './openid-provider.ts';

const people: Record<string, { name: string; groups: string[] }> = {
  mara: { name: 'Mara Lind', groups: ['reviewers', 'choir'] },
  otto: { name: 'Otto Berg', groups: ['choir'] },
};

const server = createServer();
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: openIdClient.clientId,
      client_secret: openIdClient.clientSecret,
      redirect_uris: JSON.parse(process.argv[2]!) as string[],
    },
  ],
  claims: { openid: ['sub', 'groups'], profile: ['name'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/as/${uid}` },
  cookies: { keys: ['of the tests'] },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  renderError: (context, out) => {
    context.body = JSON.stringify(out);
  },
});
const answer = provider.callback();
server.on('request', (request, response) => {
  void (request.url!.startsWith('/as/') ? signIn(request, response) : answer(request, response));
});

async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    const button = '<label>Name <input name="person"></label><button>Go in</button><button name="no">Decline</button>';
    response.end(`<!doctype html><title>Provider</title><form method="post">${button}</form>`);
    return;
  }
  const form = new URLSearchParams(await text(request));
  if (form.has('no'))
    return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'declined' });
  const { params } = await provider.interactionDetails(request, response);
  const accountId = form.get('person')!;
  const grant = new provider.Grant({ accountId, clientId: params['client_id'] as string });
  grant.addOIDCScope(params['scope'] as string);
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { login: { accountId }, consent });
}
process.send!(issuer);
process.once('disconnect', () => process.exit());
