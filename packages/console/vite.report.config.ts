import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { licences, palette } from './vite-plugins.ts';

/** Reports, drawn by the same views: one module for Node with all that it needs, the style of its pages in it. */
export default defineConfig({
  root: fileURLToPath(new URL('./', import.meta.url)),
  publicDir: false,
  plugins: [palette(), react(), tailwindcss(), licences()],
  ssr: { noExternal: true },
  // Else both of React's builds are in it, and the environment of whoever runs Agon picks one.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: 'src/report/render-report.ts',
    outDir: '../../dist/report',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    cssMinify: true,
  },
});
