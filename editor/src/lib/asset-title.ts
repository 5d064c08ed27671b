import type { Asset } from '@/lib/api/assets'
import { formatLabel } from '@/lib/humanize'

const BRIEF_CHARS = 60

/** What an asset is called: a result by its brief, its agent and its number, anything else by its file. */
export function titleOf({ brief, flow_name, number, name, media_type }: Asset): string {
  if (brief && flow_name && number) return `${shortened(brief)}, ${flow_name} ${number}`
  return name || formatLabel(media_type)
}

/** Cuts a brief at a word. */
function shortened(brief: string): string {
  if (brief.length <= BRIEF_CHARS) return brief
  return `${brief.slice(0, BRIEF_CHARS).replace(/\s+\S*$/, '')}…`
}
