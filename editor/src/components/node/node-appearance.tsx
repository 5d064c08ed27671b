import { type LucideIcon, Sparkle, Workflow } from 'lucide-react'
import { glyphOf, TypeTile } from '@/components/type-icon'
import type { NodeType } from '@/graph/catalog'
import { withoutNull } from '@/graph/ports'

/** Pigment and icon of a node type, derived from its output type. */
export function appearanceOf(type: NodeType | undefined): { type: string; glyph: LucideIcon } {
  const given = type?.outputs[0]?.type ?? 'Any'
  return { type: given, glyph: glyphFor(type, given) }
}

function glyphFor(type: NodeType | undefined, given: string): LucideIcon {
  if (type && holdsAgent(type)) return Workflow
  if (type?.generative && given === 'Text') return Sparkle
  return glyphOf(given)
}

function holdsAgent(type: NodeType): boolean {
  const settings = Object.values(type.settings.properties ?? {})
  return settings.some((schema) => withoutNull(schema)['x-ui']?.widget === 'flow')
}

/** The icon of a node type on its tinted tile: on cards, in the palette, in lists. */
export function NodeTile({ type, className }: { type: NodeType | undefined; className?: string }) {
  const face = appearanceOf(type)
  return <TypeTile type={face.type} glyph={face.glyph} className={className} />
}
