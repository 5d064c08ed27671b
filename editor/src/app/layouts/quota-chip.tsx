import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '@/components/chip'
import { currentUserQuery, refreshCurrentUser } from '@/lib/api/users'

/** The remaining runs of today; abbreviated on narrow screens. */
export function QuotaChip() {
  const { t } = useTranslation('common')
  const { data: user } = useQuery(currentUserQuery)
  useRefreshOnReset(user?.quota.resets_at)
  if (!user) return null
  const { limit, used } = user.quota
  const left = Math.max(0, limit - used)
  return (
    <Chip tone={left === 0 ? 'madder' : 'plain'} className="mr-2">
      <span className="max-sm:sr-only">{t('nav.quota', { left, limit })}</span>
      <span aria-hidden className="sm:hidden">
        {t('nav.left', { left })}
      </span>
    </Chip>
  )
}

const CHECK_INTERVAL_MS = 30_000

/** Refetches when the day is over. Polls, since timers do not run while the computer sleeps. */
function useRefreshOnReset(resetsAt: string | undefined) {
  useEffect(() => {
    if (!resetsAt) return
    const over = () => Date.now() >= Date.parse(resetsAt) && void refreshCurrentUser()
    const looking = setInterval(over, CHECK_INTERVAL_MS)
    return () => clearInterval(looking)
  }, [resetsAt])
}
