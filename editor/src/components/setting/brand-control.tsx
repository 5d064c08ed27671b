import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Select } from '@/components/select'
import type { Schema } from '@/graph/catalog'
import { withoutNull } from '@/graph/ports'
import { isOptional } from '@/graph/widgets'
import { brandVersionsQuery } from '@/lib/api/brand-edits'
import { useBrandOptions } from '@/lib/launch/brands'
import { Swatches } from '../brand/swatches'
import { type ControlProps, groupAccess } from './control-props'
import { ObjectControl } from './object-control'

const OWN = ' own'
const VALUES = ' values'
const NEWEST = 'newest'

/** A saved brand, its newest published version or a pinned one, in place of the values of the node. */
export function BrandControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled, field } = props
  const { t } = useTranslation('inspector')
  const { options, isPending } = useBrandOptions()
  const warning = useId()
  const { saved, hasValues } = partsOf(value)
  const [id = '', pinned = NEWEST] = saved.split('@')
  const known = options.find((option) => option.id === id)
  const isGone = id !== '' && !isPending && !known
  const choices = [
    { value: OWN, label: t('brand.own') },
    ...(hasValues ? [{ value: VALUES, label: t('brand.values') }] : []),
    ...options.map(({ id: value, name, colors }) => ({
      value,
      label: name,
      icon: <Swatches colors={colors} />,
    })),
    ...(id && !known ? [{ value: id, label: t(isGone ? 'brand.gone' : 'brand.loading') }] : []),
  ]
  const put = (next: unknown) => {
    onChange(next)
    onSettle()
  }
  return (
    <fieldset {...groupAccess(props)} className="grid min-w-0 gap-2.5">
      <Select
        aria-label={field.title}
        aria-invalid={isGone || undefined}
        aria-describedby={isGone ? warning : undefined}
        value={id || (hasValues ? VALUES : OWN)}
        disabled={disabled}
        choices={choices}
        onValueChange={(next) => next !== VALUES && put(next === OWN ? null : { saved: next })}
      />
      {isGone && (
        <p id={warning} className="text-madder-text text-xs">
          {t('brand.goneHelp')}
        </p>
      )}
      {known && !known.isExample && (
        <Version
          id={id}
          value={pinned}
          disabled={disabled ?? false}
          onChange={(next) => put({ saved: next === NEWEST ? id : `${id}@${next}` })}
        />
      )}
      {!saved && (
        <ObjectControl
          {...props}
          field={{ ...field, title: t('brand.values'), schema: withoutSaved(field.schema) }}
        />
      )}
    </fieldset>
  )
}

type VersionProps = { id: string; value: string; disabled: boolean; onChange: (value: string) => void }

function Version({ id, value, disabled, onChange }: VersionProps) {
  const { t } = useTranslation('inspector')
  const { data } = useQuery(brandVersionsQuery(id))
  const numbers = new Set((data?.items ?? []).map(({ number }) => String(number)))
  if (value !== NEWEST) numbers.add(value)
  return (
    <Field label={t('brand.version')}>
      <Select
        value={value}
        disabled={disabled}
        choices={[
          { value: NEWEST, label: t('brand.newest') },
          ...[...numbers].map((number) => ({ value: number, label: t('brand.number', { number }) })),
        ]}
        onValueChange={onChange}
      />
    </Field>
  )
}

/** The schema of a brand whose values are entered here. */
function withoutSaved(schema: Schema): Schema {
  const plain = withoutNull(schema)
  const { saved: _, ...properties } = plain.properties ?? {}
  const values = { ...plain, properties }
  return isOptional(schema) ? { ...schema, anyOf: [values, { type: 'null' }] } : values
}

/** The reference to a saved brand, and whether there are values of a whole other brand instead. */
function partsOf(value: unknown): { saved: string; hasValues: boolean } {
  if (typeof value !== 'object' || value === null) return { saved: '', hasValues: false }
  const saved = 'saved' in value && typeof value.saved === 'string' ? value.saved : ''
  const filled = Object.entries(value).some(([name, part]) => name !== '$type' && part && name !== 'saved')
  return { saved, hasValues: !saved && filled }
}
