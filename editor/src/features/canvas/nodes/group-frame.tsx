import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { useDocument, useSession } from '@/document/use-session'
import { groupsOf } from '@/graph/document'
import { changeGroup } from '@/graph/edits/annotations'
import { classes } from '@/lib/classes'
import { type GroupNode, labelId } from '../interactions/flow-nodes'

/** A frame around some nodes, with a name. Dragging it moves them all. */
export const GroupFrame = memo(function GroupFrame({ id, data, selected = false }: NodeProps<GroupNode>) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const group = useDocument((flow) => groupsOf(flow).find((one) => one.id === id)) ?? data.group
  return (
    <section
      id={labelId(id)}
      aria-label={t('group.label', { title: group.title })}
      className={classes(
        'node-card size-full rounded-xl border border-hairline-strong bg-sunken/55',
        selected && 'outline-2 outline-cobalt outline-offset-2',
      )}
    >
      <input
        aria-label={t('group.name')}
        value={group.title}
        readOnly={!session.canEdit}
        onChange={(event) =>
          session.edit((document) => changeGroup(document, id, { title: event.target.value }), `group:${id}`)
        }
        onBlur={() => session.flow.settle()}
        style={{ width: `${Math.max(6, group.title.length + 2)}ch` }}
        className={classes(
          'm-2 max-w-[calc(100%-16px)] rounded-s bg-transparent px-2 py-1 font-semibold text-[12.5px] text-muted outline-none focus-visible:field-focus',
          selected ? 'nodrag' : 'pointer-events-none',
        )}
      />
    </section>
  )
})
