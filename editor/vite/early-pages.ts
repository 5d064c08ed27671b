import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

const PAGES = 'src/app/pages/'
const LAYOUT = 'src/app/layouts/signed-in-layout.tsx'

/** Each page that a visit often begins with: the paths of its route, and its modules. */
export const FIRST_PAGES: Readonly<Record<string, readonly string[]>> = {
  '^/login$': ['src/app/layouts/public-layout.tsx', 'src/features/auth/login-page.tsx'],
  '^/$': [LAYOUT, `${PAGES}home-page.tsx`],
  '^/flow/?$': [LAYOUT, `${PAGES}agents-page.tsx`],
  '^/flow/[^/]+$': [`${PAGES}flow-page.tsx`],
  '^/runs$': [LAYOUT, `${PAGES}runs-page.tsx`],
  '^/run/[^/]+$': [LAYOUT, `${PAGES}run-page.tsx`],
  '^/library$': [LAYOUT, `${PAGES}library-page.tsx`],
}

/**
 * Names the files of the page that is visited, which `public/start.js` requests with those of the application. It would
 * otherwise request them once it runs. Visitors without a session are shown the page to sign in: `public/first-paint.js`, which runs
 * before, says where.
 */
export function earlyPages(): Plugin {
  return {
    name: 'early-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const source = scriptOf(bundle)
      this.emitFile({ type: 'asset', fileName: nameOf(source), source })
    },
    transformIndexHtml: {
      order: 'post',
      // Before the script of the application, and not `async`, which browsers request after all others.
      handler: (html, { bundle }) =>
        bundle
          ? html.replace(
              '<script type="module"',
              `<script src="/${nameOf(scriptOf(bundle))}"></script>\n    $&`,
            )
          : html,
    },
  }
}

function nameOf(source: string): string {
  return `assets/early-pages-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
}

/** A script that runs before the application. */
function scriptOf(bundle: Bundle): string {
  const files = new Set<string>()
  const pages = Object.entries(FIRST_PAGES).map(([path, modules]) => {
    const own = filesOf(bundle, modules)
    for (const file of own) files.add(file)
    return [path, own.map((file) => [...files].indexOf(file))]
  })
  return `(() => {
  const { frame, page: shown } = document.documentElement.dataset
  if (!frame) return
  const path = shown === 'login' ? '/login' : location.pathname
  const files = ${JSON.stringify([...files])}
  const page = ${JSON.stringify(pages)}.find(([pattern]) => new RegExp(pattern).test(path))
  if (page) document.currentScript.dataset.files = page[1].map((at) => '/' + files[at]).join(' ')
})()
`
}

/** The files of the application, and of all pages that a visit often begins with. */
export function firstFiles(bundle: Bundle): string[] {
  const pages = Object.values(FIRST_PAGES).flatMap((modules) => filesOf(bundle, modules))
  return [...new Set([...initialOf(bundle), ...pages])]
}

/** The files of the application itself. */
function initialOf(bundle: Bundle): string[] {
  return chunksOf(bundle)
    .filter(({ isEntry }) => isEntry)
    .flatMap(({ fileName }) => closureOf(bundle, fileName))
}

function chunksOf(bundle: Bundle) {
  return Object.values(bundle).filter((file) => file.type === 'chunk')
}

/** The files that modules need beyond those of the application: styles, then each script after those that it imports. */
function filesOf(bundle: Bundle, modules: readonly string[]): string[] {
  const chunks = chunksOf(bundle)
  const initial = initialOf(bundle)
  const own = modules.map((module) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
    if (!chunk) throw new Error(`No file was built for ${module}, which vite/early-pages.ts names.`)
    return chunk.fileName
  })
  const needed = new Set(
    own.flatMap((name) => closureOf(bundle, name)).filter((name) => !initial.includes(name)),
  )
  const styles = [...needed].flatMap((name) => stylesOf(bundle, name))
  return [...new Set([...styles, ...needed])]
}

/** All that a file imports, not on demand but at once, in the order of evaluation, and the file. */
function closureOf(bundle: Bundle, name: string, found = new Set<string>()): string[] {
  const chunk = bundle[name]
  if (chunk?.type !== 'chunk' || found.has(name)) return []
  found.add(name)
  return [...chunk.imports.flatMap((imported) => closureOf(bundle, imported, found)), name]
}

function stylesOf(bundle: Bundle, name: string): string[] {
  const chunk = bundle[name]
  return chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : []
}
