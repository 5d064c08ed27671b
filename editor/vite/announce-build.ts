import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'

/** The build id: a hash of the names of the chunks, which contain content hashes. */
function buildId(bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk')
  const names = chunks.map(({ fileName }) => fileName).sort()
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)
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
