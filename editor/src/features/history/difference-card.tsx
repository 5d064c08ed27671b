import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { Segmented } from '@/components/segmented'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { Difference, Fate, Part, Side } from '@/graph/differences'
import { type FlowDocument, findNode } from '@/graph/document'
import type { Choices } from '@/graph/merge'
import { PartChoice } from './part-choice'

type DifferenceCardProps = {
  difference: Difference
  mine: FlowDocument
  theirs: FlowDocument
  choices: Choices
  onChoices: (choices: Choices) => void
}

/** One node that the two sides hold differently: whole, or setting by setting where both still have it. */
export function DifferenceCard({ difference, mine, theirs, choices, onChoices }: DifferenceCardProps) {
  const { t } = useTranslation('canvas')
  const { catalogue } = useSession()
  const { node: id, parts } = difference
  const node = findNode(mine, id) ?? findNode(theirs, id)
  if (!node) return null
  const type = catalogue.typeOf(node)
  const title = titleOf(node, catalogue)
  const sideOf = (part: Part) => choices.get(part.key) ?? choices.get(id) ?? part.suggested
  const sides = new Set(parts.map(sideOf))
  const whole = parts.length > 0 ? only(sides) : (choices.get(id) ?? difference.suggested)
  const chooseWhole = (side: Side) => {
    const rest = [...choices].filter(([key]) => !parts.some((part) => part.key === key))
    onChoices(new Map(rest).set(id, side))
  }
  const fate = (one: Fate, there: boolean) =>
    t(there || one === 'removed' ? `conflict.${one}` : 'conflict.absent')
  return (
    <li className="rounded-m border border-hairline">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3.5 py-2.5">
        <NodeTile type={type} />
        <div className="min-w-0 flex-1 basis-40">
          <h3 className="truncate font-semibold text-sm">{title}</h3>
          <p className="text-muted text-xs">{told(difference, t)}</p>
        </div>
        <Segmented
          aria-label={title}
          value={whole}
          onValueChange={chooseWhole}
          className="w-72 max-sm:w-full"
          choices={[
            {
              value: 'mine',
              label: `${t('conflict.mine')} (${fate(difference.mine, Boolean(findNode(mine, id)))})`,
            },
            {
              value: 'theirs',
              label: `${t('conflict.theirs')} (${fate(difference.theirs, Boolean(findNode(theirs, id)))})`,
            },
          ]}
        />
      </div>
      {parts.length > 0 && (
        <ul className="divide-y divide-hairline border-hairline border-t">
          {parts.map((part) => (
            <li key={part.key}>
              <PartChoice
                part={part}
                node={node}
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

function told(
  { mine, theirs, clash, parts }: Difference,
  t: ReturnType<typeof useTranslation<'canvas'>>['t'],
) {
  if (clash) return t('conflict.both')
  const changed = (fate: Fate) => fate !== 'same'
  if (parts.length > 0 && changed(mine) && changed(theirs)) return t('conflict.apart')
  return t(changed(mine) ? 'conflict.onlyMine' : 'conflict.onlyTheirs')
}
