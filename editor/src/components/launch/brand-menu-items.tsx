import { Link } from '@tanstack/react-router'
import { Check, Plus } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import {
  agentBrand,
  type BrandValue,
  brandId,
  isNoBrand,
  NO_BRAND,
  saved,
  useBrandOptions,
} from '@/lib/launch/brands'
import type { Field } from '@/lib/launch/fields'
import { Swatches } from '../brand/swatches'
import { MenuLink, MenuSeparator } from '../menu'
import { panelItemClass } from '../overlay'

const NONE = 'none'
const AGENT = 'agent'

type BrandMenuItemsProps = {
  field: Field
  value: BrandValue | null
  onChoose: (value: BrandValue | null) => void
}

/** The choices of the brand menu: none, the agent's own, each published brand. */
export function BrandMenuItems({ field, value, onChoose }: BrandMenuItemsProps) {
  const { t } = useTranslation('launch')
  const { options } = useBrandOptions()
  const own = agentBrand(field)
  const ownOption = options.find(({ id }) => id === brandId(own))
  const ownName = ownOption?.name ?? own?.brand_name
  const rows = [
    { key: NONE, name: t('brand.none'), colors: [] },
    ...(own
      ? [
          {
            key: AGENT,
            name: ownName ? t('brand.own', { name: ownName }) : t('brand.ownUnnamed'),
            colors: ownOption?.colors ?? own.palette?.slice(0, 4) ?? [],
          },
        ]
      : []),
    ...options.map(({ id, name, colors, isExample }) => ({
      key: id,
      name: isExample ? t('brand.example', { name }) : name,
      colors,
    })),
  ]
  const selected =
    value === null ? (own ? AGENT : NONE) : isNoBrand(value) ? NONE : (brandId(value) ?? 'values')
  return (
    <>
      <Radix.RadioGroup
        value={selected}
        aria-label={t('brand.menu')}
        onValueChange={(key) => onChoose(key === AGENT ? null : key === NONE ? NO_BRAND : saved(key))}
      >
        {rows.map(({ key, name, colors }) => (
          <Radix.RadioItem key={key} value={key} className={panelItemClass}>
            <Swatches colors={colors} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <Radix.ItemIndicator>
              <Check className="size-4" />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
      <MenuSeparator />
      <MenuLink>
        <Link to="/brands" search={{ new: true }}>
          <Plus aria-hidden className="mx-3 flex-none" />
          {t('brand.new')}
        </Link>
      </MenuLink>
    </>
  )
}
