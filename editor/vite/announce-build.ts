import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** Scripts carry the hash of what they contain, so their names together name the build. */
function buildId(bundle: object): string {
  const scripts = Object.keys(bundle).filter((name) => name.endsWith('.js'))
  return createHash('sha256').update(scripts.sort().join('\n')).digest('hex').slice(0, 16)
}

/**
 * Writes `build.json` beside the page and the same id into the page: an open page compares the two to learn
 * that a newer build has taken its place.
 */
export function announceBuild(): Plugin {
  return {
    name: 'announce-build',
    apply: 'build',
    generateBundle(_options, bundle) {
      this.emitFile({
        type: 'asset',
        fileName: 'build.json',
        source: JSON.stringify({ id: buildId(bundle) }),
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return html
        return html.replace('name="build" content=""', `name="build" content="${buildId(bundle)}"`)
      },
    },
  }
}
