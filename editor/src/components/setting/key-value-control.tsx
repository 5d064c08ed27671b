import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { Select } from '@/components/select'
import type { Schema } from '@/graph/catalog'
import { isJsonObject, unusedName } from '@/graph/schema-fields'
import { isOptional } from '@/graph/widgets'
import { optionsQuery } from '@/lib/api/nodes'
import { type ControlProps, groupAccess, NestedControl, useRowFocus } from './control-props'
import { FormOrJson } from './form-or-json'
import { NameInput } from './name-input'

type ValueType = 'text' | 'number' | 'boolean' | 'structure'

const SCHEMAS: Record<ValueType, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  structure: { 'x-ui': { widget: 'json' } },
}
const VALUE_TYPES = Object.keys(SCHEMAS) as ValueType[]

/** Edits an object without declared fields: rows of a name and a value. */
export function KeyValueControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, compact, place } = props
  const { t } = useTranslation('inspector')
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const names = entries.map(([name]) => name)
  const { rows, focusNext } = useRowFocus(entries.length)
  const suggestions = useKnownNames(props)
  if (compact) return <p className="text-muted">{t('structure.values', { count: entries.length })}</p>
  const put = (next: readonly (readonly [string, unknown])[]) =>
    onChange(next.length === 0 && isOptional(field.schema) ? undefined : Object.fromEntries(next))
  const putAtOnce = (next: readonly (readonly [string, unknown])[], focus: number) => {
    focusNext(focus)
    put(next)
    onSettle()
  }
  return (
    <FormOrJson {...props} hasForm={value === undefined || value === null || isJsonObject(value)}>
      <fieldset ref={rows} {...groupAccess(props)} className="flex min-w-0 flex-col gap-2">
        {entries.map(([name, one], at) => (
          <fieldset
            // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its focus while its name changes
            key={at}
            data-row
            aria-label={name}
            className="flex min-w-0 flex-col gap-2 rounded-m border border-hairline bg-paper/60 p-2.5"
          >
            <div className="flex items-start gap-1">
              <NameInput
                name={name}
                taken={names.toSpliced(at, 1)}
                label={t('structure.name')}
                suggestions={suggestions}
                disabled={disabled}
                onRename={(next) => put(entries.with(at, [next, one]))}
                onSettle={onSettle}
              />
              {!disabled && (
                <IconButton
                  size="sm"
                  label={t('structure.removeValue', { name })}
                  icon={<X />}
                  onClick={() => putAtOnce(entries.toSpliced(at, 1), Math.max(0, at - 1))}
                />
              )}
            </div>
            <Value
              {...props}
              name={name}
              value={one}
              place={place && `${place}.${name}`}
              onChange={(next) => put(entries.with(at, [name, next]))}
            />
          </fieldset>
        ))}
        {!disabled && (
          <Button
            size="sm"
            variant="ghost"
            className="self-start"
            onClick={() =>
              putAtOnce([...entries, [unusedName(t('structure.newName'), names), '']], entries.length)
            }
          >
            <Plus aria-hidden />
            {t('structure.addValue')}
          </Button>
        )}
      </fieldset>
    </FormOrJson>
  )
}

/** The type of a value and its control. */
function Value({ name, value, onChange, onSettle, disabled, place }: ControlProps & { name: string }) {
  const { t } = useTranslation('inspector')
  const type = valueTypeOf(value)
  const title = t('structure.valueOf', { name })
  return (
    <div className="grid grid-cols-2 items-start gap-1.5">
      <Select
        aria-label={t('structure.type')}
        value={type}
        disabled={disabled}
        choices={VALUE_TYPES.map((one) => ({ value: one, label: t(`structure.valueTypes.${one}`) }))}
        onValueChange={(next) => {
          onChange(converted(value, next))
          onSettle()
        }}
      />
      <div className="flex min-h-10 min-w-0 flex-col justify-center">
        <NestedControl
          // The draft of one type is no text of another.
          key={type}
          field={{
            ...{ name, title, schema: SCHEMAS[type], required: true },
            ...{ advanced: false, main: false, group: null },
          }}
          aria-label={title}
          typeId=""
          value={value}
          disabled={disabled}
          place={place}
          onChange={(next) => next !== undefined && onChange(next)}
          onSettle={onSettle}
        />
      </div>
    </div>
  )
}

function valueTypeOf(value: unknown): ValueType {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'structure'
}

/** The value as another type, as far as it has one. */
function converted(value: unknown, type: ValueType): unknown {
  if (type === valueTypeOf(value)) return value
  if (type === 'number') return Number.isFinite(Number(value)) ? Number(value) : 0
  if (type === 'boolean') return value === 'true' || (typeof value === 'number' && value !== 0)
  if (type === 'structure') return typeof value === 'string' && value !== '' ? [value] : []
  return typeof value === 'object' ? '' : String(value)
}

/** The names that the server knows for this setting, for the model that the node uses. */
function useKnownNames({ field, typeId, siblings, compact, disabled }: ControlProps) {
  const model = typeof siblings?.model === 'string' ? siblings.model : ''
  const { data } = useQuery({
    ...optionsQuery(typeId, field.name, model),
    enabled: Boolean(field.schema['x-ui']?.options) && !compact && !disabled,
  })
  return data?.map(({ value, label }) => ({ value, label }))
}
