import { Handle, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { NodeChange } from '@/graph/diff'
import { classes } from '@/lib/classes'
import type { DiffNode } from './diff-nodes'

const looks = {
  added: 'outline-2 outline-viridian outline-offset-2',
  removed: 'outline-2 outline-madder outline-dashed outline-offset-2',
  changed: 'outline-2 outline-ochre outline-offset-2',
  unchanged: '',
} as const

const tags = {
  added: 'bg-viridian-text',
  removed: 'bg-madder-text',
  changed: 'bg-ochre-text',
} as const

/** A node in a comparison, its fate told by word and outline. */
export const DiffCard = memo(function ComparedCard({ data }: NodeProps<DiffNode>) {
  const { t } = useTranslation('history')
  const { title, summary, mark, change } = data
  return (
    <div
      className={classes(
        'relative w-[230px] rounded-[14px] border border-hairline bg-surface p-3 text-[12.5px] text-muted shadow-card',
        looks[mark],
      )}
    >
      <Handle
        type="target"
        position={Position.Left}
        isConnectable={false}
        className="!opacity-0"
        style={{ top: 34 }}
      />
      <Handle
        type="source"
        position={Position.Right}
        isConnectable={false}
        className="!opacity-0"
        style={{ top: 34 }}
      />
      {mark !== 'unchanged' && (
        <span
          className={classes(
            'absolute -top-[11px] right-3 rounded-pill px-2 py-0.5 font-semibold text-micro text-paper',
            tags[mark],
          )}
        >
          {t(mark)}
        </span>
      )}
      <h3
        className={classes('mb-[5px] font-semibold text-base text-ink', mark === 'removed' && 'text-muted')}
      >
        {title}
      </h3>
      {change ? (
        <Changes change={change} />
      ) : (
        <p className="line-clamp-2">{mark === 'unchanged' ? t('unchanged') : summary}</p>
      )}
    </div>
  )
})

function Changes({ change }: { change: NodeChange }) {
  const { t } = useTranslation('history')
  const rows = [
    ...(change.title ? [{ path: t('name'), ...change.title }] : []),
    ...(change.type ? [{ path: t('type'), ...change.type }] : []),
    ...change.settings,
  ]
  return (
    <ul className="break-words font-mono text-[11.5px] leading-[1.7]">
      {rows.map(({ path, before, after }) => (
        <li key={path}>
          {path}{' '}
          {before !== undefined && before !== '' && <del className="text-madder-text">{words(before)}</del>}{' '}
          {after !== undefined && after !== '' && (
            <ins className="text-viridian-text no-underline">{words(after)}</ins>
          )}
        </li>
      ))}
    </ul>
  )
}

function words(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 78)}…` : text
}
