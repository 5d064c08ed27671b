import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Chip } from '@/components/chip'
import { currentUserQuery } from '@/lib/api/users'

/** What is left of today's runs. */
export function QuotaChip() {
  const { t } = useTranslation('common')
  const { data: user } = useQuery(currentUserQuery)
  if (!user) return null
  const { limit, used } = user.quota
  const left = Math.max(0, limit - used)
  return (
    <Chip tone={left === 0 ? 'madder' : 'plain'} className="mr-2 max-sm:hidden">
      {t('nav.quota', { left, limit })}
    </Chip>
  )
}
