import { ChevronRight, Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import type { Schema } from '@/graph/catalog'
import { withoutNull } from '@/graph/ports'
import { ownValueError } from '@/graph/validate'
import { choicesOf, widgetOf } from '@/graph/widgets'
import { type ControlProps, groupAccess, NestedControl, useRowFocus } from './control-props'
import { partAttributes } from './go-to-part'
import { isFields, Members } from './object-control'
import { useValueErrorText } from './value-error-text'

/** Longer lists start folded, so that the form stays readable. */
const MAX_OPEN_ITEMS = 2

/** A list of choices, images, forms or lists; each item has its own control. */
export function ItemsControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, compact, depth = 0 } = props
  const { t } = useTranslation('inspector')
  const schema = withoutNull(field.schema).items ?? {}
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const { rows, focusNext } = useRowFocus(items.length)
  if (compact) return <p className="text-muted">{t('items', { count: items.length })}</p>
  const put = (next: readonly unknown[], focus: number) => {
    focusNext(focus)
    onChange(next)
    onSettle()
  }
  return (
    <fieldset ref={rows} {...groupAccess(props)} className="flex min-w-0 flex-col gap-1.5">
      {items.map((item, at) => (
        <Item
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
          key={at}
          {...props}
          field={{ ...field, title: t('list.item', { title: field.title, number: at + 1 }), schema }}
          value={item}
          number={at + 1}
          open={items.length <= MAX_OPEN_ITEMS || at === items.length - 1}
          place={props.place && `${props.place}.${at}`}
          depth={depth + 1}
          onChange={(next) => onChange(items.with(at, next ?? null))}
          onRemove={() => put(items.toSpliced(at, 1), Math.max(0, at - 1))}
        />
      ))}
      {!disabled && (
        <Button
          size="sm"
          variant="ghost"
          className="self-start"
          onClick={() => put([...items, blank(schema)], items.length)}
        >
          <Plus aria-hidden />
          {t('list.add')}
        </Button>
      )}
    </fieldset>
  )
}

type ItemProps = ControlProps & { number: number; open: boolean; onRemove: () => void }

function Item({ number, open, onRemove, id: _, 'aria-describedby': __, ...props }: ItemProps) {
  const { t } = useTranslation('inspector')
  const remove = !props.disabled && (
    <IconButton size="sm" label={t('list.remove', { number })} icon={<X />} onClick={onRemove} />
  )
  const errorText = useValueErrorText()
  const error = errorText(ownValueError(props.field.schema, props.value, props.depth))
  const errorLine = error && (
    <p role="alert" className="text-[12.5px] text-madder-text">
      {error}
    </p>
  )
  if (widgetOf(props.field.schema, props.depth) !== 'object') {
    return (
      <div data-row {...partAttributes(number - 1)} className="flex flex-col gap-1.5">
        <div className="flex items-start gap-1">
          <div className="min-w-0 flex-1">
            <NestedControl {...props} aria-label={props.field.title} />
          </div>
          {remove}
        </div>
        {errorLine}
      </div>
    )
  }
  return (
    <div
      data-row
      {...partAttributes(number - 1)}
      className="relative rounded-m border border-hairline bg-paper/60"
    >
      <details className="group" open={open}>
        <summary className="flex min-h-9 list-none items-center gap-1.5 py-1 pr-10 pl-2.5 font-[550] text-sm">
          <ChevronRight aria-hidden className="size-4 flex-none transition-transform group-open:rotate-90" />
          <span className="truncate">{nameOf(props.value) || props.field.title}</span>
        </summary>
        <fieldset aria-label={props.field.title} className="flex min-w-0 flex-col gap-3.5 p-3 pt-1">
          <Members {...props} />
          {errorLine}
        </fieldset>
      </details>
      <span className="absolute top-1 right-1">{remove}</span>
    </div>
  )
}

/** The first text in a form, as its title when folded. */
function nameOf(value: unknown): string {
  if (!isFields(value)) return ''
  const words = Object.values(value).find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof words === 'string' ? words : ''
}

/** The initial value of a new item: its default, else the first choice, else empty. */
function blank(schema: Schema): unknown {
  const plain = withoutNull(schema)
  if (schema.default !== undefined) return schema.default
  const [first] = choicesOf(plain)
  if (first !== undefined) return first
  if (plain.type === 'boolean') return false
  if (plain.type === 'array') return []
  return widgetOf(schema) === 'object' ? {} : null
}
