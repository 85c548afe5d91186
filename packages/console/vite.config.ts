import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licences, palette, pdfFiles } from './vite-plugins.ts';

export default defineConfig({
  root: fileURLToPath(new URL('./', import.meta.url)),
  plugins: [palette(), pdfFiles(), react(), tailwindcss(), licences()],
  build: {
    outDir: '../../dist/console',
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
