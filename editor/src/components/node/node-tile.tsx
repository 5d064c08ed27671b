import { TypeTile } from '@/components/type-icon'
import type { NodeType } from '@/graph/catalog'
import { appearanceOf } from './node-appearance'

/** A node type's glyph on its tinted tile: on cards, in the palette, in lists. */
export function NodeTile({ type, className }: { type: NodeType | undefined; className?: string }) {
  const face = appearanceOf(type)
  return <TypeTile type={face.type} glyph={face.glyph} className={className} />
}
