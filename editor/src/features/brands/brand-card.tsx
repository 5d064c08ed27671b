import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Download, Ellipsis, SquarePen, Star, StarOff, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuSeparator } from '@/components/menu'
import { Card } from '@/components/surfaces'
import type { BrandSummary } from '@/lib/api/brand-edits'
import { swatchesOf } from '@/lib/launch/brands'
import { BrandStatus } from './brand-status'
import { readableOn } from './contrast'
import type { BrandActions } from './use-brand-actions'

type BrandCardProps = { brand: BrandSummary; actions: BrandActions }

/** One brand of the list: a plate in its colors, its facts, and a menu. The card opens it. */
export function BrandCard({ brand, actions }: BrandCardProps) {
  const { t } = useTranslation('brands')
  const { content } = brand
  const colors = swatchesOf(content)
  const tone = content.voice?.tone ?? []
  return (
    <li className="relative min-w-0">
      <Card asChild className="flex h-full flex-col overflow-hidden">
        <Link
          to="/brands/$brandId"
          params={{ brandId: brand.id }}
          aria-labelledby={`brand-${brand.id}`}
          className="transition-[box-shadow,transform] hover:shadow-float motion-safe:hover:-translate-y-0.5"
        >
          <Plate brand={brand} colors={colors} />
          <div className="flex flex-1 flex-col px-6 pt-4 pb-4.5">
            <div className="flex min-h-9 items-center gap-3 pr-9">
              <h2
                id={`brand-${brand.id}`}
                className="min-w-0 flex-1 truncate font-serif text-[27px] leading-tight"
                title={content.name}
              >
                {content.name}
              </h2>
              <Squares colors={colors} />
            </div>
            <p className="line-clamp-2 text-[13.5px] text-muted">
              {brand.example
                ? t('exampleHelp')
                : tone.length > 0
                  ? tone.join(', ')
                  : content.description || ' '}
            </p>
            <div className="mt-3 flex flex-wrap items-center gap-x-4.5 gap-y-1 border-hairline border-t pt-3.25 text-muted text-sm">
              <BrandStatus brand={brand} />
              {brand.is_default && <span>{t('isDefault')}</span>}
              <span className="ml-auto">{brand.agents > 0 && t('agents', { count: brand.agents })}</span>
            </div>
          </div>
        </Link>
      </Card>
      <BrandMenu brand={brand} actions={actions} />
    </li>
  )
}

function Plate({ brand: { content, logo }, colors }: { brand: BrandSummary; colors: readonly string[] }) {
  const ground = colors[0] ?? '#efebe1'
  const ink = readableOn(ground, colors.slice(1))
  const line = content.voice?.sample_lines?.[0] ?? content.name
  return (
    <div
      aria-hidden
      className="grid h-52.5 grid-cols-[minmax(0,1fr)_minmax(0,31%)]"
      style={{ background: ground, color: ink }}
    >
      <div className="flex min-w-0 flex-col justify-between p-6">
        {logo ? (
          <span
            className="flex h-9 w-fit max-w-full items-center rounded-s px-2"
            style={{ background: colors[1] ?? '#ffffff' }}
          >
            <img src={logo.thumbnail_url ?? logo.url} alt="" className="max-h-6 max-w-40 object-contain" />
          </span>
        ) : (
          <span className="truncate font-semibold text-[19px]">{content.name}</span>
        )}
        <span className="line-clamp-3 text-balance pt-1.5 text-[30px] leading-[1.15] tracking-[-0.02em]">
          {line}
        </span>
      </div>
      <div className="flex flex-col">
        {(colors.length > 1 ? colors.slice(1) : [ink]).map((color) => (
          <i key={color} className="flex-1" style={{ background: color }} />
        ))}
      </div>
    </div>
  )
}

function Squares({ colors }: { colors: readonly string[] }) {
  const { t } = useTranslation('brands')
  if (colors.length === 0) return null
  return (
    <span
      role="img"
      aria-label={t('palette', { colors: colors.join(', ') })}
      className="flex flex-none gap-1.25 max-[420px]:hidden"
    >
      {colors.map((color) => (
        <i key={color} className="size-6.5 rounded-s border border-ink/15" style={{ background: color }} />
      ))}
    </span>
  )
}

function BrandMenu({ brand, actions }: BrandCardProps) {
  const { t } = useTranslation('brands')
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <IconButton
          size="sm"
          tooltip={false}
          label={t('menuOf', { name: brand.content.name })}
          icon={<Ellipsis />}
          className="absolute top-57.5 right-4 text-muted"
        />
      }
    >
      <MenuItem
        icon={<SquarePen />}
        onSelect={() => void navigate({ to: '/brands/$brandId', params: { brandId: brand.id } })}
      >
        {t('open')}
      </MenuItem>
      <MenuItem icon={<Copy />} onSelect={() => actions.duplicate(brand)}>
        {t('duplicate')}
      </MenuItem>
      <MenuItem icon={<Download />} onSelect={() => actions.exportFile(brand)}>
        {t('export')}
      </MenuItem>
      {!brand.example && brand.version !== null && (
        <MenuItem
          icon={brand.is_default ? <StarOff /> : <Star />}
          onSelect={() => actions.setDefault(brand, !brand.is_default)}
        >
          {t(brand.is_default ? 'unsetDefault' : 'makeDefault')}
        </MenuItem>
      )}
      {!brand.example && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => actions.remove(brand)}>
            {t('delete')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
