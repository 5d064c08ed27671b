import { useTranslation } from 'react-i18next'
import type { BrandSummary } from '@/lib/api/brand-edits'
import { classes } from '@/lib/classes'

type BrandStatusProps = { brand: Pick<BrandSummary, 'version' | 'changes' | 'example'>; className?: string }

/** Whether a brand is published, and how many changes its draft has. */
export function BrandStatus({ brand, className }: BrandStatusProps) {
  const { t } = useTranslation('brands')
  if (brand.example) return <Dot tone="bg-ghost">{t('example')}</Dot>
  if (brand.version === null) return <Dot tone="bg-ochre">{t('neverPublished')}</Dot>
  return (
    <span className={classes('flex flex-wrap gap-x-4.5 gap-y-1', className)}>
      <Dot tone="bg-viridian">{t('published', { number: brand.version })}</Dot>
      {brand.changes > 0 && <Dot tone="bg-ochre">{t('changes', { count: brand.changes })}</Dot>}
    </span>
  )
}

export function Dot({ tone, children }: { tone: string; children: React.ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.75 font-[550] text-ink">
      <i aria-hidden className={classes('size-2 flex-none rounded-pill', tone)} />
      {children}
    </span>
  )
}
