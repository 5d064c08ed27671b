// Applies edits of the editor to flow documents: a JSON request a line on stdin, its answer a line on stdout.
// Usage: node editor_edits.mjs EDITOR_FOLDER SCRATCH_FOLDER
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'

const [editor, scratch] = process.argv.slice(2)
const modules = [
  'graph/catalog',
  'graph/parse',
  'graph/edits/to-agent',
  'graph/edits/dissolve',
  'lib/agents/agent-ports',
]
await build({
  configFile: false,
  logLevel: 'error',
  root: editor,
  resolve: { alias: { '@': join(editor, 'src') } },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: scratch,
    rolldownOptions: {
      input: Object.fromEntries(
        modules.map((name) => [name.split('/').at(-1), join(editor, 'src', `${name}.ts`)]),
      ),
      output: { entryFileNames: '[name].mjs' },
    },
  },
})
const load = (name) => import(pathToFileURL(join(scratch, `${name}.mjs`)).href)
const { Catalog } = await load('catalog')
const { parseDocument } = await load('parse')
const { toAgent } = await load('to-agent')
const { dissolveAgent } = await load('dissolve')
const { portsOf } = await load('agent-ports')

let catalog = null
const requests = {
  catalog: ({ data }) => {
    catalog = new Catalog(data)
    return {}
  },
  agent: ({ id, inputs, results }) => {
    catalog = catalog.withAgentPorts(id, portsOf({ inputs, results }))
    return {}
  },
  offers: ({ document, nodes, name }) => toAgent(parseDocument(document), catalog, new Set(nodes), name),
  extract: ({ document, nodes, name, promoted, version }) => {
    const found = toAgent(parseDocument(document), catalog, new Set(nodes), name, promoted)
    return 'code' in found ? { refused: found } : { inner: found.inner, outer: found.outer(name, version) }
  },
  dissolve: ({ document, node, inner }) =>
    dissolveAgent(parseDocument(document), catalog, node, parseDocument(inner)),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { edit, ...request } = JSON.parse(line)
  process.stdout.write(`${JSON.stringify(requests[edit](request))}\n`)
}
