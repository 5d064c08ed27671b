import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-appearance'
import { Kbd } from '@/components/tooltip'
import type { NodeType } from '@/graph/catalog'
import { NODE_DRAG_TYPE } from '@/graph/clipboard'
import { matchedKeyword, type Section } from '@/graph/node-search'
import { describePort } from '@/graph/ports'
import { classes } from '@/lib/classes'
import { choiceLabel } from '@/lib/humanize'

type NodeListProps = {
  sections: readonly Section[]
  onPick: (type: NodeType) => void
  draggable?: boolean
  /** The words of the search. */
  query?: string
}

const CATEGORIES = ['inputs', 'ai_models', 'advanced_models', 'transform_assets'] as const
type Category = (typeof CATEGORIES)[number]

/** Node types by category. Arrow keys move between them. */
export function NodeList({ sections, onPick, draggable = false, query = '' }: NodeListProps) {
  const { t } = useTranslation('palette')
  const name = (category: string) =>
    isFound(category)
      ? t(`found.${category}`)
      : CATEGORIES.includes(category as Category)
        ? t(`category.${category as Category}`)
        : choiceLabel(category)
  if (sections.length === 0) return <NothingFound query={query} />
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
                <Item
                  type={type}
                  onPick={onPick}
                  draggable={draggable}
                  keyword={query ? matchedKeyword(type, query) : null}
                  best={category === 'best'}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {sections[0]?.category === 'near' && <NothingFound query={query} />}
    </div>
  )
}

function isFound(category: string): category is 'best' | 'also' | 'near' {
  return category === 'best' || category === 'also' || category === 'near'
}

/** How to get a node that does not exist. */
function NothingFound({ query }: { query: string }) {
  const { t } = useTranslation('palette')
  return (
    <div className="px-2 py-5 text-muted text-sm">
      <p className="font-semibold text-ink">{t('none')}</p>
      <p className="mt-1">{t('noneText', { query })}</p>
      <p className="mt-2">
        {t('writeNode')} <code className="font-mono text-ink text-xs">impasto new-plugin</code>
      </p>
    </div>
  )
}

type ItemProps = {
  type: NodeType
  onPick: (type: NodeType) => void
  draggable: boolean
  /** The keyword that a search found it by. */
  keyword: string | null
  /** Whether Enter adds it. */
  best: boolean
}

function Item({ type, onPick, draggable, keyword, best }: ItemProps) {
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
        'flex min-h-9 w-full items-center gap-2.5 rounded-field px-2 text-left font-medium hover:bg-sunken',
        best && 'bg-sunken py-1.5',
        keyword && 'py-1',
        draggable && 'cursor-grab active:cursor-grabbing',
      )}
    >
      <NodeTile type={type} />
      <span className="min-w-0 flex-1 truncate">
        {type.title}
        {keyword && (
          <span className="block truncate font-normal text-muted text-xs">
            {t('alsoCalled', { keyword })}
          </span>
        )}
      </span>
      {best && <Kbd>Enter</Kbd>}
      {type.beta && <span className="text-micro text-violet-text">{t('beta')}</span>}
    </button>
  )
}

function neighbour(button: HTMLElement, step: number): HTMLElement | undefined {
  const list = button.closest('div')
  const all = [...(list?.querySelectorAll<HTMLElement>('[data-node-type]') ?? [])]
  return all[all.indexOf(button) + step]
}
