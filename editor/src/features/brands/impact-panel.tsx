import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import type { BrandDetail } from '@/lib/api/brand-edits'
import { impactQuery } from '@/lib/api/impact'
import { dollars } from '@/lib/format'
import { Section } from './section'

/** How many assets the draft, or the newest version, changes. Shown once there are any. */
export function ImpactPanel({ brand }: { brand: BrandDetail }) {
  const { t } = useTranslation('brands')
  const { data: impact } = useQuery({
    ...impactQuery(brand.id, `${brand.revision}.${brand.version}`),
    enabled: !brand.example && brand.version !== null,
  })
  if (!impact || (impact.assets === 0 && impact.undecided === 0)) return null
  return (
    <Section title={t('impact.panel')}>
      <p className="text-sm">
        {t(impact.version === 'draft' ? 'impact.byDraft' : 'impact.byVersion', {
          count: impact.assets,
          number: impact.version,
        })}
      </p>
      {impact.assets > 0 && (
        <p className="mt-1 text-muted text-sm">{t('impact.costAll', { usd: dollars(impact.usd) })}</p>
      )}
      {impact.undecided > 0 && (
        <p className="mt-1 text-muted text-sm">{t('impact.undecided', { count: impact.undecided })}</p>
      )}
      <Button size="sm" className="mt-3" asChild>
        <Link to="/brands/$brandId/impact" params={{ brandId: brand.id }}>
          {t('impact.review')}
        </Link>
      </Button>
    </Section>
  )
}
