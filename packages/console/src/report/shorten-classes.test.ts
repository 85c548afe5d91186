import { expect, test } from 'vitest';
import { shortenClasses } from './shorten-classes.ts';

const page = (styles: string, body: string) =>
  `<head><title>.px-1\\.5</title><style>${styles}</style></head><body>${body}</body>`;

test('classes have a letter or two, in the styles as in the markup, and everything else stays as it is', () => {
  expect(
    shortenClasses(
      page(
        '.px-1\\.5{padding:.5rem 1.5rem}.hover\\:border-quiet:hover{x:y}@media (width>=40rem){.sm\\:w-\\[9ch\\]{w:9ch}}' +
          '.unused{z:calc(1.5px*2)}.group:has(.px-1\\.5){a:b}',
        '<p class="px-1.5 hover:border-quiet mine">class=&quot;px-1.5&quot; .px-1.5</p>' +
          '<b id="px-1.5" class="sm:w-[9ch] px-1.5 group">px-1.5</b>',
      ),
    ),
  ).toBe(
    page(
      '.a{padding:.5rem 1.5rem}.b:hover{x:y}@media (width>=40rem){.c{w:9ch}}.unused{z:calc(1.5px*2)}.d:has(.a){a:b}',
      '<p class="a b mine">class=&quot;px-1.5&quot; .px-1.5</p><b id="px-1.5" class="c a d">px-1.5</b>',
    ),
  );
});

test('hundreds of classes have names of their own', () => {
  const classes = Array.from({ length: 800 }, (_, index) => `look-${index}`);
  const short = shortenClasses(
    page(classes.map((name) => `.${name}{}`).join(''), classes.map((name) => `<i class="${name}"></i>`).join('')),
  );
  const [styles, markup] = short.split('</style>');
  const used = [...markup!.matchAll(/class="([a-z]+)"/g)].map(([, name]) => name);
  expect(new Set(used).size).toBe(800);
  expect([...styles!.matchAll(/\.([a-z]+)\{/g)].map(([, name]) => name)).toEqual(used);
});
