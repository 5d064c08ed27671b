import { Plus, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import { concrete } from '@/graph/ports'
import type { ControlProps } from './types'

/** A list of words or numbers, a row each; Enter adds the next one. */
export function ListControl({ field, value, onChange, onSettle, disabled, id }: ControlProps) {
  const { t } = useTranslation('inspector')
  const numeric =
    concrete(field.schema.items ?? {}).type !== 'string' && Boolean(concrete(field.schema).items)
  const isNumber = numeric && concrete(concrete(field.schema).items ?? {}).type !== 'string'
  const items: unknown[] = Array.isArray(value) ? value : []
  const { rows, focusNext } = useRowFocus(items.length)
  const put = (text: string, at: number) =>
    onChange(
      items.with(at, isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text),
    )
  const add = () => {
    focusNext(items.length)
    onChange([...items, isNumber ? 0 : ''])
    onSettle()
  }
  return (
    <fieldset ref={rows} id={id} aria-label={field.title} className="flex flex-col gap-1.5">
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} className="flex items-center gap-1">
          <Input
            aria-label={t('list.item', { title: field.title, number: at + 1 })}
            value={String(item ?? '')}
            disabled={disabled}
            className="h-9"
            onChange={(event) => put(event.target.value, at)}
            onBlur={onSettle}
            onKeyDown={(event) => event.key === 'Enter' && add()}
          />
          {!disabled && (
            <IconButton
              size="sm"
              label={t('list.remove', { number: at + 1 })}
              icon={<X />}
              onClick={() => {
                focusNext(Math.max(0, at - 1))
                onChange(items.toSpliced(at, 1))
                onSettle()
              }}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <Button size="sm" variant="ghost" className="self-start" onClick={add}>
          <Plus />
          {t('list.add')}
        </Button>
      )}
    </fieldset>
  )
}

/** Keeps the keyboard in the list: on the row that was added, or the one before a row that went. */
function useRowFocus(count: number) {
  const rows = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row is there once the number of rows has changed
  useEffect(() => {
    if (wanted.current === null) return
    const row = rows.current?.querySelectorAll('input')[wanted.current]
    wanted.current = null
    ;(row ?? rows.current?.querySelector('button'))?.focus()
  }, [count])
  return {
    rows,
    focusNext: (at: number) => {
      wanted.current = at
    },
  }
}
