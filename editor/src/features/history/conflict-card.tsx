import { useTranslation } from 'react-i18next'
import { Segmented } from '@/components/segmented'
import type { ChangeKind, Difference, PartDifference, Side } from '@/graph/differences'
import type { FlowDocument } from '@/graph/document'
import type { Choices } from '@/graph/merge'
import { ConflictChoice } from './conflict-choice'
import { useConflictSubject } from './use-conflict-subject'

type ConflictCardProps = {
  difference: Difference
  mine: FlowDocument
  theirs: FlowDocument
  choices: Choices
  onChoices: (choices: Choices) => void
}

/** One node, note or group that the two sides hold differently: whole, or part by part where both still have it. */
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
  if (parts.length > 0 && changed(mine) && changed(theirs)) return t('conflict.apart')
  return t(changed(mine) ? 'conflict.onlyMine' : 'conflict.onlyTheirs')
}
