import { BoxSelect, Braces, StickyNote } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-appearance'
import { Segmented } from '@/components/segmented'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { ChangeKind, Difference, PartDifference, Side } from '@/graph/diff'
import { type FlowDocument, type FlowNode, groupsOf, notesOf } from '@/graph/document'
import type { Choices } from '@/graph/merge'
import { findVariable } from '@/graph/variables'
import { ConflictChoice } from './conflict-choice'

type ConflictCardProps = {
  difference: Difference
  mine: FlowDocument
  theirs: FlowDocument
  choices: Choices
  onChoices: (choices: Choices) => void
}

/** One node, note or group that differs: as a whole, or by property if both sides have it. */
export function ConflictCard({ difference, mine, theirs, choices, onChoices }: ConflictCardProps) {
  const { t } = useTranslation('canvas')
  const subject = useConflictSubject(difference, mine, theirs)
  const { key, parts } = difference
  if (!subject) return null
  const { title, tile, inMine, inTheirs } = subject
  const sideOf = (part: PartDifference) => choices.get(part.key) ?? choices.get(key) ?? part.suggested
  const sides = new Set(parts.map(sideOf))
  const whole = parts.length > 0 ? only(sides) : (choices.get(key) ?? difference.suggested)
  const chooseWhole = (side: Side) => {
    const rest = [...choices].filter(([one]) => !parts.some((part) => part.key === one))
    onChoices(new Map(rest).set(key, side))
  }
  const fate = (one: ChangeKind, there: boolean) =>
    t(there || one === 'removed' ? `conflict.${one}` : 'conflict.absent')
  return (
    <li className="rounded-m border border-hairline">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
        {tile}
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="truncate font-semibold text-sm">{title}</h3>
          <p className="text-muted text-xs">{describeConflict(difference, t)}</p>
        </div>
        <Segmented
          aria-label={title}
          value={whole}
          onValueChange={chooseWhole}
          className="w-72 max-sm:w-full"
          choices={[
            {
              value: 'mine',
              label: `${t('conflict.mine')} (${fate(difference.mine, inMine)})`,
            },
            {
              value: 'theirs',
              label: `${t('conflict.theirs')} (${fate(difference.theirs, inTheirs)})`,
            },
          ]}
        />
      </div>
      {parts.length > 0 && (
        <ul className="divide-y divide-hairline border-hairline border-t">
          {parts.map((part) => (
            <li key={part.key}>
              <ConflictChoice
                part={part}
                node={subject.node}
                mine={mine}
                theirs={theirs}
                side={sideOf(part)}
                onSide={(side) => onChoices(new Map(choices).set(part.key, side))}
              />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function only(sides: ReadonlySet<Side>): Side | undefined {
  const [one] = sides
  return sides.size === 1 ? one : undefined
}

function describeConflict(
  { mine, theirs, clash, parts }: Difference,
  t: ReturnType<typeof useTranslation<'canvas'>>['t'],
) {
  if (clash) return t('conflict.both')
  const changed = (fate: ChangeKind) => fate !== 'same'
  if (parts.length > 0 && changed(mine) && changed(theirs)) return t('conflict.separate')
  return t(changed(mine) ? 'conflict.onlyMine' : 'conflict.onlyTheirs')
}

interface Subject {
  readonly title: string
  readonly tile: ReactNode
  /** The node; none for a note or group. */
  readonly node: FlowNode | null
  readonly inMine: boolean
  readonly inTheirs: boolean
}

/** Title and icon of the item that differs. */
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
  if (kind === 'variable') {
    const [one, other] = [mine, theirs].map((side) => findVariable(side, id))
    return subject({ mine: one, theirs: other }, ({ name }) => ({
      title: t('conflict.variableOf', { name }),
      tile: <SubjectIcon icon={<Braces />} look="bg-sunken text-muted" />,
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
