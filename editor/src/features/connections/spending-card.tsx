import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card } from '@/components/surfaces'
import { type Connection, uninstalledSpendingQuery } from '@/lib/api/connections'
import { dollars } from '@/lib/format'

const COLORS = ['bg-vermilion', 'bg-cobalt', 'bg-viridian', 'bg-violet', 'bg-ochre', 'bg-slate'] as const
const MAX_SHOWN = COLORS.length

/** What all providers cost this month, and the share of each. */
export function SpendingCard({ connections }: { connections: readonly Connection[] }) {
  const { t } = useTranslation('connections')
  const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date())
  const { data: uninstalled = [] } = useQuery(uninstalledSpendingQuery)
  const paid = [...connections, ...uninstalled.map((one) => ({ ...one, title: one.provider }))]
    .map(({ provider, title, spent_usd }) => ({ provider, title, usd: Number(spent_usd) }))
    .filter(({ usd }) => usd > 0)
    .sort((one, other) => other.usd - one.usd)
  const total = paid.reduce((sum, { usd }) => sum + usd, 0)
  return (
    <Card className="flex flex-col gap-4 p-5 sm:flex-row sm:items-center sm:gap-7">
      <div>
        <p className="text-muted text-xs">{t('spentIn', { month })}</p>
        <p className="font-serif text-[28px] leading-tight">{dollars(total)}</p>
      </div>
      <div className="min-w-0 flex-1">
        <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-pill bg-sunken">
          {paid.slice(0, MAX_SHOWN).map(({ provider, usd }, index) => (
            <span key={provider} className={COLORS[index]} style={{ flexGrow: usd / total }} />
          ))}
        </div>
        <ul className="mt-2.5 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
          {paid.length === 0 && <li>{t('noSpending')}</li>}
          {paid.slice(0, MAX_SHOWN).map(({ provider, title, usd }, index) => (
            <li key={provider} className="flex items-center gap-1.5">
              <span aria-hidden className={`size-2 rounded-full ${COLORS[index]}`} />
              {title} <span className="font-mono">{dollars(usd)}</span>
            </li>
          ))}
        </ul>
      </div>
      <Button asChild>
        <Link to="/account" hash="usage">
          {t('limits')}
        </Link>
      </Button>
    </Card>
  )
}
