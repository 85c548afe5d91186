import { useMutation, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Form, TextAreaField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/page.tsx';
import { PrecedentCard } from './precedent-card.tsx';
import { precedentQuery } from '../../api/query-options.ts';

const sampleText = 'The whole lot of them from that side of the river are vermin. Get rid of them.';

/** What a debate about a text would be shown. */
export function FindSimilar() {
  const [text, setText] = useState('');
  const search = useMutation({ mutationFn: (words: string) => client.precedents.search({ text: words, limit: 8 }) });
  const found = useQueries({ queries: (search.data?.precedents ?? []).map(({ id }) => precedentQuery(id)) });
  return (
    <>
      <Form className="grid gap-3" onSubmit={() => search.mutate(text)}>
        <TextAreaField
          label="Text"
          hint="Shows the precedents that a debate about it would use, most similar first."
          required
          value={text}
          onChange={setText}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={search.isPending}>
            Find
          </Button>
          <Button
            variant="quiet"
            onClick={() => {
              setText(sampleText);
              search.mutate(sampleText);
            }}
          >
            Try a sample
          </Button>
        </div>
      </Form>
      {search.isError && <ProblemNotice error={search.error} />}
      {search.data?.precedents.length === 0 && (
        <p role="status">None of the {search.data.library.size} precedents is similar.</p>
      )}
      <ul className="grid gap-3">
        {search.data?.precedents.map(({ id, similarity }, index) => (
          <li key={id}>
            {found[index]?.data ? (
              <PrecedentCard precedent={found[index].data} similarity={similarity} />
            ) : (
              <Loading lines={2} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
