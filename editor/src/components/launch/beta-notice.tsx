import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentUserQuery } from '@/lib/api/users'

/** Says before the prompt is written that the agent cannot be launched, and how to get access. */
export function BetaNotice({ name }: { name: string }) {
  const { t } = useTranslation('launch')
  const { data: user } = useQuery(currentUserQuery)
  const url = user?.book_a_call_url
  return (
    <p
      role="status"
      className="wrap-anywhere mt-2.5 flex flex-wrap gap-x-1.5 px-1.5 text-sm text-violet-text"
    >
      <Lock aria-hidden className="mt-0.5 size-3.5 flex-none" />
      {t('booking.beta.title', { name })}.
      {url ? (
        <a href={url} target="_blank" rel="noreferrer noopener" className="underline">
          {t('booking.beta.detail')}
        </a>
      ) : (
        t('booking.noCall')
      )}
    </p>
  )
}
