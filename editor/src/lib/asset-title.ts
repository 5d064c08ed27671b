import type { Asset } from '@/lib/api/assets'
import { formatLabel } from '@/lib/humanize'

const BRIEF_CHARS = 60

/** What an asset is called: a result by its brief, its agent and its number, anything else by its file. */
export function titleOf({ brief, flow_name, number, name, media_type }: Asset): string {
  if (brief && flow_name && number) return `${shortened(brief)}, ${flow_name} ${number}`
  return name || formatLabel(media_type)
}

/** Cuts a brief at a word, or within one that is long, as sentences of scripts without spaces are. */
function shortened(brief: string): string {
  const letters = [...brief]
  if (letters.length <= BRIEF_CHARS) return brief
  const start = letters.slice(0, BRIEF_CHARS).join('')
  return `${start.replace(/\s+\S{0,20}$/, '').replace(/[\s.,;:!?、。]+$/u, '')}…`
}
