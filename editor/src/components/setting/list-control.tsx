import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import { withoutNull } from '@/graph/ports'
import { OptionsControl } from './choice-controls'
import { type ControlProps, groupAccess, numberOr, useRowFocus } from './control-props'
import { partAttributes } from './go-to-part'

/** A list of texts or numbers, one per row; Enter adds a row. */
export function ListControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled } = props
  const { t } = useTranslation('inspector')
  const items: unknown[] = Array.isArray(value) ? value : []
  const { rows, focusNext } = useRowFocus(items.length)
  const schema = withoutNull(field.schema)
  const numeric = withoutNull(schema.items ?? {}).type !== 'string' && schema.items !== undefined
  const full = items.length >= (schema.maxItems ?? Number.POSITIVE_INFINITY)
  const add = () => {
    if (full) return
    focusNext(items.length)
    onChange([...items, numeric ? 0 : ''])
    onSettle()
  }
  return (
    <fieldset ref={rows} {...groupAccess(props)} className="flex flex-col gap-1.5">
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <div key={at} data-row {...partAttributes(at)} className="flex items-center gap-1">
          <Row
            {...props}
            title={t('list.item', { title: field.title, number: at + 1 })}
            value={item}
            numeric={numeric}
            onChange={(next) => onChange(items.with(at, next))}
            onEnter={add}
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
      {!disabled && !full && (
        <Button size="sm" variant="ghost" className="self-start" onClick={add}>
          <Plus />
          {t('list.add')}
        </Button>
      )}
    </fieldset>
  )
}

type RowProps = ControlProps & { title: string; numeric: boolean; onEnter: () => void }

/** One item: typed, or selected if the server has choices for the list. */
function Row({ title, numeric, onEnter, ...props }: RowProps) {
  const { t } = useTranslation('inspector')
  const items = withoutNull(props.field.schema).items ?? {}
  const ui = [props.field.schema['x-ui'], items['x-ui']].find((hints) => hints?.options)
  if (ui) {
    const placeholder = ui.placeholder ?? t('list.choose')
    const field = { ...props.field, schema: { ...items, 'x-ui': { ...ui, placeholder } } }
    return (
      <div className="min-w-0 flex-1">
        <OptionsControl {...props} id={undefined} field={field} aria-label={title} />
      </div>
    )
  }
  return (
    <Input
      aria-label={title}
      value={String(props.value ?? '')}
      disabled={props.disabled}
      className="h-9"
      onChange={(event) => props.onChange(numeric ? numberOr(event.target.value) : event.target.value)}
      onBlur={props.onSettle}
      onKeyDown={(event) => event.key === 'Enter' && onEnter()}
    />
  )
}
