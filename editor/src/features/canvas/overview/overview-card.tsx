import { useTranslation } from 'react-i18next'
import { appearanceOf } from '@/components/node/node-appearance'
import { useSession, useStepStatus } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { colorOfType, colorVariable } from '@/lib/type-colors'
import { type CardNode, labelId } from '../interactions/canvas-elements'
import { cardMinHeight } from '../interactions/card-geometry'

/** A card seen from afar among very many: a block of its color, as deep as its step is done. */
export function OverviewCard({ data, selected }: { data: CardNode['data']; selected: boolean }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { node, type, inputs, outputs } = data
  const status = useStepStatus(node.id)
  const title = titleOf(node, session.catalog)
  const height = session.sizes.get(node.id)?.height ?? cardMinHeight(inputs.length, outputs.length)
  return (
    <article
      id={labelId(node.id)}
      aria-label={status === 'pending' ? title : `${title}, ${t(`node.${status}`)}`}
      data-status={status}
      data-selected={selected || undefined}
      style={{ height, color: colorVariable[colorOfType(appearanceOf(type).type)] }}
      className="node-card overview-card"
    />
  )
}
