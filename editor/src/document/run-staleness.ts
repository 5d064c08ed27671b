import { type FlowDocument, sameContent } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
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

function hasCurrentBrands({ brands = [], flow, inputs }: OpenRun, newest: BrandVersions): boolean {
  if (brands.length === 0) return true
  const text = JSON.stringify([flow, inputs])
  const follows = (id: string) => text.includes(`"saved":${JSON.stringify(id)}`)
  return brands.every(
    ({ brand_id, version }) => !follows(brand_id) || (newest.get(brand_id) ?? version) === version,
  )
}

function meaningOf({ format, nodes, edges }: FlowDocument): FlowDocument {
  const bare = nodes.map(({ id, type, version, settings, mode, pin }) => ({
    id,
    type,
    version,
    settings,
    ...(mode && { mode }),
    ...(pin && { pin }),
    position: ORIGIN,
  }))
  return { format, name: '', nodes: bare.toSorted((a, b) => (a.id < b.id ? -1 : 1)), edges }
}

const ORIGIN = { x: 0, y: 0 }
