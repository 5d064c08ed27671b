import { GripVertical, X } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import { useRemovalFocus } from '@/components/use-removal-focus'
import { classes } from '@/lib/classes'

export interface OrderedItem {
  readonly key: string
  /** What it is called without a name. */
  readonly title: string
  /** What it belongs to. */
  readonly of: string
  readonly name: string
}

type OrderListProps = {
  label: string
  items: readonly OrderedItem[]
  onMove: (from: number, to: number) => void
  onRename: (item: OrderedItem, name: string) => void
  onRemove: (item: OrderedItem) => void
  /** The text in a name is complete, or the row was dropped. */
  onSettle?: () => void
}

/** A list whose rows have names, and are ordered by dragging or with the arrow keys. */
export function OrderList({ label, items, onMove, onRename, onRemove, onSettle }: OrderListProps) {
  const { t } = useTranslation('canvas')
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const removed = useRef(0)
  useRemovalFocus(items.length, () => {
    const row = list.current?.children[Math.min(removed.current, items.length - 1)]
    return row?.querySelector<HTMLElement>('button:last-child')
  })
  const move = (item: OrderedItem, to: number) => {
    const from = items.indexOf(item)
    if (to < 0 || to >= items.length || to === from) return
    onMove(from, to)
    setSaid(t('order.moved', { title: item.name || item.title, number: to + 1, count: items.length }))
  }
  const moveByKey = (event: KeyboardEvent, item: OrderedItem) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step) return
    event.preventDefault()
    move(item, items.indexOf(item) + step)
    onSettle?.()
  }
  const drag = (event: PointerEvent, item: OrderedItem) => {
    if (dragged !== item.key) return
    const rows = [...(list.current?.children ?? [])]
    const at = rows.findIndex((row) => event.clientY < row.getBoundingClientRect().bottom)
    move(item, at < 0 ? items.length - 1 : at)
  }
  const drop = () => {
    setDragged(null)
    onSettle?.()
  }
  return (
    <>
      <ul ref={list} aria-label={label} className="flex flex-col gap-1.5">
        {items.map((item) => (
          <li
            key={item.key}
            className={classes(
              'flex items-center gap-1 rounded-field border border-hairline bg-surface py-1 pr-1 pl-0.5',
              dragged === item.key && 'shadow-float outline-2 outline-cobalt',
            )}
          >
            <IconButton
              size="sm"
              tooltip={false}
              label={t('order.move', { title: item.name || item.title })}
              icon={<GripVertical />}
              className="flex-none cursor-grab touch-none text-faint active:cursor-grabbing"
              onKeyDown={(event) => moveByKey(event, item)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setDragged(item.key)
              }}
              onPointerMove={(event) => drag(event, item)}
              onPointerUp={drop}
              onPointerCancel={drop}
            />
            <span className="flex min-w-0 flex-1 flex-col">
              <Input
                aria-label={t('order.name', { title: item.title, of: item.of })}
                value={item.name}
                placeholder={item.title}
                className="h-8 border-transparent bg-transparent px-1.5"
                onChange={(event) => onRename(item, event.target.value)}
                onBlur={onSettle}
              />
              <span className="truncate px-1.5 text-muted text-xs">
                {item.name && item.name !== item.title ? `${item.of}: ${item.title}` : item.of}
              </span>
            </span>
            <IconButton
              size="sm"
              label={t('order.remove', { title: item.name || item.title })}
              icon={<X />}
              className="flex-none text-faint"
              onClick={() => {
                removed.current = items.indexOf(item)
                onRemove(item)
              }}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

/** The list with one item moved to another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}
