import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { dark, light, type Palette } from '../src/reports/styles.ts';
import { licences } from './licences.ts';
import { pdfFiles } from './pdf-files.ts';

/** The console has the colours of the reports: one file says them. */
function palette(): Plugin {
  const name = 'virtual:palette.css';
  const variables = (colours: Palette) =>
    Object.entries(colours)
      .map(([colour, value]) => `--${colour.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
      .join(' ');
  return {
    name: 'agon-palette',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? `:root { color-scheme: light; ${variables(light)} }\n:root[data-theme='dark'] { color-scheme: dark; ${variables(dark)} ` +
          `}\n@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { color-scheme: dark; ${variables(dark)} ` +
          '} }\n'
        : undefined,
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [palette(), pdfFiles(), react(), tailwindcss(), licences()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // What is inlined as data: would need a wider policy for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2_000,
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:4100',
      '/v1': 'http://127.0.0.1:4100',
      '/docs': 'http://127.0.0.1:4100',
      '/openapi.json': 'http://127.0.0.1:4100',
    },
  },
});
