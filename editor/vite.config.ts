import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { announceBuild } from './vite/announce-build.ts'
import { compileHints } from './vite/compile-hints.ts'
import { compressFiles } from './vite/compress-files.ts'
import { earlyPages } from './vite/early-pages.ts'
import { frameTexts } from './vite/frame-texts.ts'
import { pageModules } from './vite/page-modules.ts'
import { stagedStart } from './vite/staged-start.ts'

const server = process.env.IMPASTO_DEV_SERVER ?? 'http://127.0.0.1:8000'

/** Modules that many pages share, but none of those to sign in: dialogs, lists of choices, the graph. */
const SIGNED_IN =
  /react-(select|collection|dialog|roving-focus|focus-guards|remove-scroll|style-singleton)|aria-hidden|use-sidecar|use-callback-ref|src\/graph\/|src\/components\/(dialog|select|overlay)\.tsx?/

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    announceBuild(),
    frameTexts(),
    earlyPages(),
    stagedStart(),
    compileHints(),
    compressFiles(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/.well-known', '/healthz', '/readyz'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    // One file for what every page needs at once, which is larger than the usual limit.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Without groups, each set of pages that share a module makes a file of its own: the canvas had 130 of them,
          // most below 3 kB, and each is a request of the first visit and a tag to insert on all others.
          groups: [
            // The parts of the application that public/start.js evaluates in tasks of their own.
            {
              name: 'react',
              tags: ['$initial'],
              test: /node_modules\/(react|react-dom|scheduler)\/|src\/react-start\.ts/,
              priority: 5,
            },
            {
              name: 'router',
              tags: ['$initial'],
              test: /node_modules\/@tanstack\/.*(router|history|store)/,
              priority: 4,
            },
            {
              name: 'class-tables',
              tags: ['$initial'],
              test: /src\/lib\/class-tables\.ts/,
              priority: 4,
            },
            {
              name: 'classes',
              tags: ['$initial'],
              test: /tailwind-merge|clsx|src\/lib\/classes\.ts/,
              priority: 5,
            },
            { name: 'libraries', tags: ['$initial'], test: /node_modules\//, priority: 3 },
            { name: 'texts', tags: ['$initial'], test: /src\/lib\/i18n\//, priority: 4 },
            { name: 'data', tags: ['$initial'], test: /src\/lib\//, priority: 3 },
            { name: 'initial', tags: ['$initial'], priority: 2 },
            { name: 'icons', test: /lucide-react/, minShareCount: 3, priority: 2 },
            { name: 'common', test: (id) => !SIGNED_IN.test(id), minShareCount: 10, priority: 2 },
            { name: pageModules(), debugName: 'pages', priority: 1 },
            { name: 'signed-in', minShareCount: 9, priority: 0 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 15_000 },
          ],
        },
      },
    },
  },
})
