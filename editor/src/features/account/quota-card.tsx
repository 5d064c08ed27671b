import { useTranslation } from 'react-i18next'
import { Card } from '@/components/card'
import { Progress } from '@/components/progress'
import type { Quota } from '@/lib/api/users'

/** What is left of today's runs, and when there are more. */
export function QuotaCard({ quota: { limit, used, resets_at } }: { quota: Quota }) {
  const { t } = useTranslation('account')
  const left = Math.max(0, limit - used)
  return (
    <Card className="flex flex-col gap-2.5 p-5.5">
      <div className="flex items-baseline">
        <h2 className="flex-1 font-semibold">{t('today')}</h2>
        <span className="font-mono text-[11.5px] text-muted">{t('left', { left, limit })}</span>
      </div>
      <Progress label={t('runsLeft')} value={limit ? used / limit : 1} />
      <p className="text-muted text-xs">
        {t('used', { count: used, time: new Date(resets_at).toISOString().slice(11, 16) })}
      </p>
    </Card>
  )
}
