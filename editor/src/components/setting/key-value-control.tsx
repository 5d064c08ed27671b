import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import type { Schema } from '@/graph/catalog'
import { isJsonObject, unusedName } from '@/graph/schema-fields'
import { isOptional } from '@/graph/widgets'
import { optionsQuery } from '@/lib/api/nodes'
import { type ControlProps, groupAccess, useRowFocus } from './control-props'
import { FormOrJson } from './form-or-json'
import { partAttributes } from './go-to-part'
import { NameInput } from './name-input'
import { NamedValue, renamedValue } from './named-value'

/** Edits an object without declared fields: rows of a name and a value. */
export function KeyValueControl(props: ControlProps) {
  const { field, value, onChange, onSettle, disabled, compact, place } = props
  const { t } = useTranslation('inspector')
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const names = entries.map(([name]) => name)
  const { rows, focusNext } = useRowFocus(entries.length)
  const options = useModelSettings(props)
  const schemas = new Map(
    options?.map(({ value: name, value_schema }) => [name, value_schema as Schema | null]),
  )
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
            {...partAttributes(name)}
            aria-label={name}
            className="flex min-w-0 flex-col gap-2 rounded-m border border-hairline bg-paper/60 p-2.5"
          >
            <div className="flex items-start gap-1">
              <NameInput
                name={name}
                taken={names.toSpliced(at, 1)}
                label={t('structure.name')}
                suggestions={options}
                disabled={disabled}
                onRename={(next) => put(entries.with(at, [next, renamedValue(schemas.get(next), one)]))}
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
            <NamedValue
              {...props}
              name={name}
              schema={schemas.get(name) ?? undefined}
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

/** The settings that the node's model has, with the schemas of their values. */
function useModelSettings({ field, typeId, siblings, compact, disabled }: ControlProps) {
  const model = typeof siblings?.model === 'string' ? siblings.model : ''
  const { data } = useQuery({
    ...optionsQuery(typeId, field.name, model),
    enabled: Boolean(field.schema['x-ui']?.options) && !compact && !disabled,
  })
  return data?.items
}
