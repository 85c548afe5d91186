import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { queries } from '../api/queries.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Form, InputField } from '../components/field.tsx';
import { ProblemNotice } from '../components/page.tsx';
import { selfQuery, signInWaysQuery } from '../session/session.ts';
import { Mark } from './navigation.tsx';

/** Why somebody who was sent to the provider is back at the door. */
const returnedFrom: Record<string, string> = {
  'sign-in-refused':
    'You were not let in: the sign-in was declined or took too long, or none of your roles opens this server.',
  'openid-failed': 'The provider could not sign you in. Whoever runs this server finds the reason in its log.',
};

/** Where keys are on: a key opens a session. The key itself is not kept by the page. */
export function SignIn({ refused }: { /** Why the key that is signed in does not do. */ refused: unknown }) {
  const [key, setKey] = useState('');
  const { data: ways } = useQuery(signInWaysQuery);
  const why = returnedFrom[new URLSearchParams(location.search).get('sign-in') ?? ''];
  const signIn = useMutation({
    mutationKey: ['self'],
    mutationFn: () => client.session.create({ key: key.trim() }),
    onSuccess: (self) => {
      // What somebody else was shown is not for whoever comes now.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== selfQuery.queryKey[0] });
      queries.setQueryData(selfQuery.queryKey, self);
    },
  });
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-10">
      <h1 className="flex items-center gap-3 text-3xl">
        <Mark /> Agon
      </h1>
      <Form className="grid gap-4 rounded-xl border bg-surface p-6" onSubmit={() => signIn.mutate()}>
        <p className="text-quiet">
          This server requires {ways?.openid ? 'you to sign in' : 'a key'}. Signing in starts a twelve-hour session in
          this browser.
        </p>
        {why && (
          <p role="alert" className="rounded-xl border border-caution bg-caution-ground p-4 text-caution">
            {why}
          </p>
        )}
        {ways?.openid && (
          <>
            <a className={buttonClass('primary')} href={ways.openid.path}>
              Sign in with {ways.openid.name}
            </a>
            <p className="text-center text-sm text-quiet">or with a key</p>
          </>
        )}
        <InputField
          label="API key"
          hint={
            <>
              Create one with <code className="font-mono text-sm">agon keys create --name YOU --scope review</code>
            </>
          }
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={key}
          onChange={setKey}
          spellCheck={false}
        />
        {signIn.isError ? <ProblemNotice error={signIn.error} /> : refused ? <ProblemNotice error={refused} /> : null}
        <Button variant={ways?.openid ? 'secondary' : 'primary'} type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
      </Form>
    </main>
  );
}
