import { ChevronDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { agentBrand, type BrandValue, brandId, useBrandOptions } from '@/lib/launch/brands'
import type { Field } from '@/lib/launch/fields'
import { Swatches } from '../brand/swatches'
import { Button } from '../button'
import { Menu } from '../menu'
import { BrandMenuItems } from './brand-menu-items'

type BrandMenuProps = {
  field: Field
  /** Null stands for the brand that the agent has by itself, or for none. */
  value: BrandValue | null
  onChoose: (value: BrandValue | null) => void
  disabled?: boolean
  id?: string
  className?: string
  'aria-describedby'?: string
}

/** The brand of a launch: a button with its colors and name, and a menu of the published brands. */
export function BrandMenu({ field, value, onChoose, disabled, id, className, ...rest }: BrandMenuProps) {
  const { t } = useTranslation('launch')
  const { name, colors } = useShownBrand(field, value)
  return (
    <Menu
      align="start"
      className="max-h-[min(26rem,var(--radix-dropdown-menu-content-available-height))] w-72 overflow-y-auto"
      trigger={
        <Button
          id={id}
          disabled={disabled}
          aria-label={t('brand.label', { name })}
          className={classes('min-w-0 max-w-60 pl-2.5', className)}
          {...rest}
        >
          <Swatches colors={colors} />
          <span className="min-w-0 truncate py-1">{name}</span>
          <ChevronDown aria-hidden className="flex-none text-muted" />
        </Button>
      }
    >
      <BrandMenuItems field={field} value={value} onChoose={onChoose} />
    </Menu>
  )
}

function useShownBrand(field: Field, value: BrandValue | null) {
  const { t } = useTranslation('launch')
  const { options } = useBrandOptions()
  const brand = value ?? agentBrand(field)
  const known = options.find(({ id }) => id === brandId(brand))
  const name = known?.name ?? brand?.brand_name
  const colors = known?.colors ?? brand?.palette?.slice(0, 4) ?? []
  if (value === null && brand)
    return { name: name ? t('brand.own', { name }) : t('brand.ownUnnamed'), colors }
  if (name) return { name: known?.isExample ? t('brand.example', { name }) : name, colors }
  return { name: t(brand?.saved || colors.length > 0 ? 'brand.unknown' : 'brand.none'), colors }
}
