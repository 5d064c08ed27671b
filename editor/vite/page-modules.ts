import type { Rolldown } from 'vite'
import { FIRST_PAGES } from './early-pages.ts'

/** What Rolldown tells the groups of chunks. */
type Graph = { getModuleInfo: (id: string) => Rolldown.ModuleInfo | null }

const SIGN_IN = '^/login$'
const EDITOR = '^/flow/[^/]+$'

/**
 * Names the chunk of the modules that at least two of the pages share that a visit often begins with: one file instead
 * of one for each set of pages. The editor has too much of its own to count, and the page to sign in loads none of it.
 */
export function pageModules(): (id: string, graph: Graph) => string | null {
  let shared: ReadonlySet<string> | undefined
  return (id, graph) => {
    shared ??= sharedModules(graph)
    return shared.has(id) ? 'pages' : null
  }
}

function sharedModules(graph: Graph): Set<string> {
  const root = new URL('..', import.meta.url).pathname
  const closures = (modules: readonly string[]) =>
    new Set(modules.flatMap((module) => [...closureOf(`${root}${module}`, graph)]))
  const counts = new Map<string, number>()
  for (const [path, modules] of Object.entries(FIRST_PAGES)) {
    if (path === SIGN_IN || path === EDITOR) continue
    for (const id of closures(modules)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const others = closures(FIRST_PAGES[SIGN_IN] ?? [])
  // The pages themselves are imported on demand: each is a file of its own.
  for (const module of Object.values(FIRST_PAGES).flat()) others.add(`${root}${module}`)
  return new Set([...counts].flatMap(([id, count]) => (count > 1 && !others.has(id) ? id : [])))
}

/** A module and all that it imports, not on demand but at once. */
function closureOf(id: string, graph: Graph, found = new Set<string>()): Set<string> {
  const info = graph.getModuleInfo(id)
  if (!info || found.has(id)) return found
  found.add(id)
  for (const imported of info.importedIds) closureOf(imported, graph, found)
  return found
}
