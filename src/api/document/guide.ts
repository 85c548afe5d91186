/** What holds for every operation, in Markdown. */
export const guide = `\
Verdicts a person can check: specialised agents debate, every argument quotes evidence that code has verified, a \
judge applies written rules, and the whole trial is on record.

**Keys.** On a loopback address no key is needed unless the server says so; elsewhere send \`Authorization: Bearer \
KEY\`. A key has scopes: \`read\`, \`judge\`, \`review\` and \`admin\`, which grants them all. \`agon keys \
create\` makes keys.

**Errors.** Problem details (RFC 9457, \`application/problem+json\`): \`code\` is stable and for programs, \
\`detail\` and \`hint\` are for people. Every answer carries \`X-Request-Id\`, which names the request in the log \
of the server; one that you send is kept.

**Pages.** Lists answer \`rows\` and \`next\`. Give \`next\` as \`after\` to get the following page; it is null at \
the end.

**Doing it once.** With an \`Idempotency-Key\` a request can be sent again safely: the second one gets what the \
first got, for a day. The same key with another request is refused.

**Live.** With \`Accept: text/event-stream\` a trial answers with its events as they happen. Each has an id: \
\`Last-Event-ID\` goes on after it. Whoever goes away for good ends the trial; what was argued is recalled the \
next time.

**Limits.** Bodies, uploads, time, trials and streams are bounded (\`GET /api/self\` says how). When it is too \
much at once the answer is 429 with \`Retry-After\`.`;

/** The groups of operations, in the order in which a reader wants them. */
export const groups: Record<string, string> = {
  moderations: 'Judge texts and images: safe or unsafe.',
  evaluations: 'Judge what a model answered to a prompt.',
  analyses: 'Judge the claims of documents.',
  jobs: 'What this server can judge: Agon’s own jobs, and those it was given.',
  jobCases: 'Judge by any job, and look at its cases.',
  cases: 'Everything that was judged, of all jobs.',
  queue: 'What waits for a person.',
  annotations: 'Files that people label, and how far they agree.',
  precedents: 'The decided cases that debates draw on.',
  learning: 'Make precedents of mistakes.',
  policies: 'The rulebook, its versions, and what a change would do.',
  runs: 'Many items from a file.',
  benches: 'How systems did on labelled sets.',
  overview: 'What happened over a time, in figures.',
  openai: 'The moderation API of OpenAI, for clients that speak it.',
  session: 'Signing in, for people at a browser.',
  keys: 'Who may ask.',
  webhooks: 'Who is told of verdicts.',
  house: 'The server itself: health, metrics, news, this document.',
};
