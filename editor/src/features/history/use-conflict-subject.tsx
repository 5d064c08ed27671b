import { BoxSelect, StickyNote } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { Difference } from '@/graph/differences'
import { type FlowDocument, type FlowNode, groupsOf, notesOf } from '@/graph/document'

interface Subject {
  readonly title: string
  readonly tile: ReactNode
  /** The node; a note and a group have none. */
  readonly node: FlowNode | null
  readonly inMine: boolean
  readonly inTheirs: boolean
}

/** What a difference is about, as it is called and drawn on the canvas. */
export function useConflictSubject(
  { kind, id }: Difference,
  mine: FlowDocument,
  theirs: FlowDocument,
): Subject | null {
  const { t } = useTranslation('canvas')
  const { catalog } = useSession()
  if (kind === 'note') {
    return subject(found(notesOf, id, mine, theirs), (note) => ({
      title: firstLine(note.text) || t('note.label'),
      tile: <SubjectIcon icon={<StickyNote />} look="bg-ochre/15 text-ochre-text" />,
      node: null,
    }))
  }
  if (kind === 'group') {
    return subject(found(groupsOf, id, mine, theirs), ({ title }) => ({
      title: t('group.label', { title }),
      tile: <SubjectIcon icon={<BoxSelect />} look="bg-sunken text-muted" />,
      node: null,
    }))
  }
  return subject(
    found(({ nodes }) => nodes, id, mine, theirs),
    (node) => ({ title: titleOf(node, catalog), tile: <NodeTile type={catalog.typeOf(node)} />, node }),
  )
}

type Pair<Thing> = { mine: Thing | undefined; theirs: Thing | undefined }

function found<Thing extends { readonly id: string }>(
  list: (document: FlowDocument) => readonly Thing[],
  id: string,
  mine: FlowDocument,
  theirs: FlowDocument,
): Pair<Thing> {
  const [one, other] = [mine, theirs].map((side) => list(side).find((thing) => thing.id === id))
  return { mine: one, theirs: other }
}

function subject<Thing>(
  { mine, theirs }: Pair<Thing>,
  drawn: (thing: Thing) => Pick<Subject, 'title' | 'tile' | 'node'>,
): Subject | null {
  const thing = mine ?? theirs
  if (!thing) return null
  return { ...drawn(thing), inMine: mine !== undefined, inTheirs: theirs !== undefined }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}

function SubjectIcon({ icon, look }: { icon: ReactNode; look: string }) {
  return (
    <span
      aria-hidden
      className={`grid size-6 flex-none place-items-center rounded-xs [&_svg]:size-3.5 ${look}`}
    >
      {icon}
    </span>
  )
}
