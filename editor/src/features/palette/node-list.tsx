import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-appearance'
import type { NodeType } from '@/graph/catalog'
import { NODE_DRAG_TYPE } from '@/graph/clipboard'
import { describePort } from '@/graph/ports'
import { classes } from '@/lib/classes'
import { choiceLabel } from '@/lib/humanize'
import type { Section } from './search'

type NodeListProps = {
  sections: readonly Section[]
  onPick: (type: NodeType) => void
  draggable?: boolean
}

const CATEGORIES = ['inputs', 'ai_models', 'advanced_models', 'transform_assets'] as const
type Category = (typeof CATEGORIES)[number]

/** Node types by category. Arrow keys move between them. */
export function NodeList({ sections, onPick, draggable = false }: NodeListProps) {
  const { t } = useTranslation('palette')
  const name = (category: string) =>
    CATEGORIES.includes(category as Category) ? t(`category.${category as Category}`) : choiceLabel(category)
  if (sections.length === 0) return <p className="px-2 py-6 text-center text-muted">{t('none')}</p>
  return (
    <div className="scrollbar-quiet -mx-1.5 min-h-0 flex-1 overflow-y-auto px-1.5">
      {sections.map(({ category, types }) => (
        <section key={category} aria-label={name(category)}>
          <h2 className="mx-1.5 mt-3.5 mb-1.5 font-semibold text-[11.5px] text-faint tracking-[0.02em]">
            {name(category)}
          </h2>
          <ul>
            {types.map((type) => (
              <li key={type.id}>
                <Item type={type} onPick={onPick} draggable={draggable} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type ItemProps = { type: NodeType; onPick: (type: NodeType) => void; draggable: boolean }

function Item({ type, onPick, draggable }: ItemProps) {
  const { t } = useTranslation('palette')
  const takes = type.inputs.map((port) => describePort(port)).join(', ')
  const gives = type.outputs.map((port) => describePort(port)).join(', ')
  const lines = [type.summary, takes && t('takes', { types: takes }), gives && t('gives', { types: gives })]
  return (
    <button
      type="button"
      data-node-type={type.id}
      draggable={draggable}
      title={lines.filter(Boolean).join('\n')}
      onClick={() => onPick(type)}
      onDragStart={(event) => {
        event.dataTransfer.setData(NODE_DRAG_TYPE, type.id)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        neighbour(event.currentTarget, step)?.focus()
      }}
      className={classes(
        'flex h-9 w-full items-center gap-2.5 rounded-field px-2 text-left font-medium hover:bg-sunken',
        draggable && 'cursor-grab active:cursor-grabbing',
      )}
    >
      <NodeTile type={type} />
      <span className="min-w-0 flex-1 truncate">{type.title}</span>
      {type.beta && <span className="text-micro text-violet-text">{t('beta')}</span>}
    </button>
  )
}

function neighbour(button: HTMLElement, step: number): HTMLElement | undefined {
  const list = button.closest('div')
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-node-type]') ?? [])]
  return all[all.indexOf(button) + step]
}
