import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Field } from '@/lib/launch/fields'
import { Button } from '../button'
import { NestedField, type NestedFieldProps } from './nested-field'

type Brand = { $type: 'Brand'; brand_name?: string; palette?: readonly string[] }

/** A brand for this launch in place of the agent's own: what is changed is changed from there. */
export function BrandField(props: NestedFieldProps) {
  const { t } = useTranslation('launch')
  if (typeof props.value === 'object' && props.value !== null) return <NestedField {...props} />
  const { field, onChange, id } = props
  const start = ownBrand(field)
  return (
    <fieldset
      id={id}
      aria-label={field.title}
      aria-describedby={props['aria-describedby']}
      className="flex min-w-0 flex-wrap items-center gap-3"
    >
      {start.brand_name && <Swatches brand={start} />}
      <Button size="sm" onClick={() => onChange(start)}>
        <Plus aria-hidden />
        {t('brand.use')}
      </Button>
    </fieldset>
  )
}

/** The brand that the node has as a whole, else what its other settings say of one. */
function ownBrand({ initial, schema }: Field): Brand {
  return { ...(initial ?? schema['x-settings'] ?? {}), $type: 'Brand' }
}

function Swatches({ brand }: { brand: Brand }) {
  const { t } = useTranslation('launch')
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden className="flex overflow-hidden rounded-pill border border-hairline">
        {brand.palette?.map((color) => (
          <i key={color} className="size-4.5" style={{ background: color }} />
        ))}
      </span>
      {t('brand.own', { name: brand.brand_name })}
    </span>
  )
}
