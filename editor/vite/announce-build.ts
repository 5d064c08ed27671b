import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'

/** The build id: a hash of the script names, which contain content hashes. */
function buildId(bundle: object): string {
  const scripts = Object.keys(bundle).filter((name) => name.endsWith('.js'))
  return createHash('sha256').update(scripts.sort().join('\n')).digest('hex').slice(0, 16)
}

/**
 * Writes the build id into `build.json` and into the page: an open page compares the two to detect a newer
 * build.
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
