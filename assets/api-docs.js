const all = (selector, within = document) => [...within.querySelectorAll(selector)];
for (const hidden of all('.try, .field')) hidden.hidden = false;
document.getElementById('key-form').addEventListener('submit', (event) => event.preventDefault());

const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (words) => wanted.every((word) => words.includes(word));
  let found = 0;
  for (const each of all('[data-words]')) {
    each.hidden = !fits(each.dataset.words);
    if (!each.hidden && each.tagName === 'ARTICLE') found += 1;
  }
  for (const group of all('[data-group]'))
    group.hidden = wanted.length > 0 && !all('[data-words]', group).some((each) => !each.hidden);
  const said = document.getElementById('found');
  said.textContent = wanted.length === 0 ? '' : found === 1 ? '1 operation' : found + ' operations';
});

const most = 200000;
const shown = (text) => (text.length > most ? text.slice(0, most) + '\n…' : text);
const element = (name, text, className = '') =>
  Object.assign(document.createElement(name), { textContent: text, className });

function requestOf(form) {
  const fields = all('[data-place]', form);
  const of = (place) => fields.filter((field) => field.dataset.place === place && field.value !== '');
  const params = Object.fromEntries(of('path').map((field) => [field.name, field.value]));
  const url = new URL(
    form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '')),
    location.origin,
  );
  for (const field of of('query')) url.searchParams.set(field.name, field.value);
  const headers = new Headers(of('header').map((field) => [field.name, field.value]));
  const key = document.getElementById('key').value.trim();
  if (key !== '') headers.set('authorization', 'Bearer ' + key);
  const answers = form.dataset.answers.split(' ').filter(Boolean);
  if (form.elements.live?.checked || answers.join() === 'text/event-stream') headers.set('accept', 'text/event-stream');
  let body;
  if (form.dataset.body === 'application/json') {
    body = form.elements.body.value.trim();
    if (body === '') body = undefined;
    else headers.set('content-type', 'application/json');
  } else if (form.dataset.body === 'multipart/form-data') {
    body = new FormData();
    for (const field of of('form')) body.append(field.name, field.value);
    for (const field of of('file')) for (const file of field.files) body.append(field.name, file);
  }
  return { url, method: form.dataset.method, headers, body };
}

async function send(form, signal, outcome) {
  const began = performance.now();
  const { url, ...request } = requestOf(form);
  const response = await fetch(url, { ...request, signal });
  const status = element(
    'p',
    response.status + ' ' + response.statusText + ' in ' + Math.round(performance.now() - began) + ' ms',
    'status ' + (response.ok ? 'good' : 'bad'),
  );
  const headers = document.createElement('details');
  headers.append(
    element('summary', 'Headers'),
    element('pre', [...response.headers].map(([name, value]) => name + ': ' + value).join('\n')),
  );
  const body = element('pre', '');
  body.tabIndex = 0;
  outcome.replaceChildren(status, headers, body);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      body.textContent = shown(body.textContent + step.value);
      body.scrollTop = body.scrollHeight;
    }
    return;
  }
  if (!/json|text|yaml|csv/.test(type)) {
    body.textContent = (await response.arrayBuffer()).byteLength + ' bytes of ' + (type || 'nothing');
    return;
  }
  const text = await response.text();
  let readable = text;
  if (/\bjson\b/.test(type))
    try {
      readable = JSON.stringify(JSON.parse(text), null, 2);
    } catch {}
  body.textContent = shown(readable);
}

for (const form of all('.try form')) {
  const outcome = form.querySelector('.outcome');
  const stop = form.querySelector('.stop');
  let going = null;
  stop.addEventListener('click', () => going?.abort());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    going?.abort();
    const mine = new AbortController();
    going = mine;
    stop.hidden = false;
    try {
      await send(form, mine.signal, outcome);
    } catch (error) {
      if (mine.signal.aborted) outcome.append(element('p', 'Stopped.'));
      else outcome.replaceChildren(element('p', 'The server did not answer: ' + error.message, 'status bad'));
    } finally {
      if (going === mine) stop.hidden = true;
    }
  });
}
