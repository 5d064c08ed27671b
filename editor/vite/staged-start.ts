import type { Plugin } from 'vite'

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/
const IMPORTED = /\s*<link rel="modulepreload" crossorigin href="([^"]+)">/g

/** The chunks of the application in the order in which `public/start.js` evaluates them; the entry is the last. */
const ORDER = ['react', 'router', 'libraries']

/** Replaces the script of the application by its files, which `public/start.js` imports one after another. */
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
  const parts = ORDER.flatMap((name) => imported.filter((file) => file.startsWith(`/assets/${name}-`)))
  const links = [...parts, entry].map(
    (file) => `<link rel="modulepreload" crossorigin href="${file}" data-part>`,
  )
  const others = html.replace(IMPORTED, (link, file) => (parts.includes(file) ? '' : link))
  return others.replace(ENTRY, [...links, '<script defer src="/start.js"></script>'].join('\n    '))
}
