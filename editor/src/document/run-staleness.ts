import {
  type FlowDocument,
  type FlowNode,
  type FlowVariable,
  type Settings,
  sameContent,
} from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { mapPlaceholders } from '@/graph/ports'
import { boundNode, textOfValue } from '@/graph/variables'
import type { OpenRun } from './runner'

/** The newest published version of each brand, by id. */
export type BrandVersions = ReadonlyMap<string, number>

/**
 * Whether a run used the current nodes, settings and edges, and the current versions of the brands that it follows.
 * Positions are ignored. A pinned brand is current whatever was published since.
 */
export function isRunCurrent(run: OpenRun, document: FlowDocument, brands: BrandVersions): boolean {
  if (!hasCurrentBrands(run, brands)) return false
  if (run.flow === undefined) return true
  return sameContent(meaningOf(parseDocument(run.flow)), meaningOf(document))
}

/** Whether the node was disabled in a run, whatever it is now. */
export function wasDisabled(run: OpenRun | null, id: string): boolean {
  const { nodes = [] } = (run?.flow ?? {}) as Partial<FlowDocument>
  return nodes.some((node) => node.id === id && node.mode === 'disabled')
}

function hasCurrentBrands({ brands = [], flow, inputs }: OpenRun, newest: BrandVersions): boolean {
  if (brands.length === 0) return true
  const text = JSON.stringify([flow, inputs])
  const follows = (id: string) => text.includes(`"saved":${JSON.stringify(id)}`)
  return brands.every(
    ({ brand_id, version }) => !follows(brand_id) || (newest.get(brand_id) ?? version) === version,
  )
}

function meaningOf({ nodes, edges, variables = [] }: FlowDocument): FlowDocument {
  const bare = nodes.map((node) => ({
    id: node.id,
    type: node.type,
    version: node.version,
    settings: filledSettings(node, variables),
    ...meaningOfState(node),
    position: ORIGIN,
  }))
  return { format: 1, name: '', nodes: bare.toSorted((a, b) => (a.id < b.id ? -1 : 1)), edges }
}

function meaningOfState({ mode, pin }: FlowNode) {
  return { ...(mode && { mode }), ...(pin && { pin }) }
}

/** The settings with the values of variables, so that only values count, and not names. */
function filledSettings(node: FlowNode, variables: readonly FlowVariable[]): Settings {
  if (variables.length === 0) return node.settings
  const known = new Map(variables.map((variable) => [variable.name, variable]))
  const entries = Object.entries(boundNode(node, variables).settings).map(([name, value]) => {
    if (typeof value !== 'string' || name in (node.variables ?? {})) return [name, value] as const
    const text = mapPlaceholders(value, (place, fallback) => {
      const variable = known.get(place)
      return variable ? textOfValue(variable.value) || (fallback ?? '') : null
    })
    return [name, text] as const
  })
  return Object.fromEntries(entries)
}

const ORIGIN = { x: 0, y: 0 }
