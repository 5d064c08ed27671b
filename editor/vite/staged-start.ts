import type { Plugin } from 'vite'

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/
const IMPORTED = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g

/** The chunks of the application in the order in which `public/start.js` evaluates them; the entry is the last. */
const ORDER = ['react', 'router', 'classes', 'class-tables', 'libraries', 'texts', 'data']

/**
 * Replaces the script of the application by its files, which `public/start.js` requests once the frame of the page has
 * painted, and imports one after another.
 */
export function stagedStart(): Plugin {
  return {
    name: 'staged-start',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => (bundle ? stagedHtml(html) : html),
    },
  }
}

function stagedHtml(html: string): string {
  const entry = ENTRY.exec(html)?.[1]
  if (!entry)
    throw new Error('index.html has no script of the application for vite/staged-start.ts to replace.')
  const imported = [...html.matchAll(IMPORTED)].flatMap(([, file]) => file ?? [])
  const isPart = (name: string) => (file: string) => file.startsWith(`/assets/${name}-`)
  const parts = ORDER.flatMap((name) => imported.filter(isPart(name)))
  const others = imported.filter((file) => !parts.includes(file))
  const files = [...others, ...parts, entry].join(' ')
  return html
    .replace(IMPORTED, '')
    .replace(ENTRY, `<script defer src="/start.js" data-parts="${files}"></script>`)
}
