import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Notice } from '@/lib/launch/estimate'

/** What the launch will not do as asked, each with what to do about it. */
export default function LaunchNotices({ notices }: { notices: readonly Notice[] }) {
  const { t } = useTranslation('launch')
  if (notices.length === 0) return null
  return (
    <ul aria-label={t('notices')} className="mt-2.5 space-y-0.5 px-1.5 text-muted text-sm">
      {notices.map((notice) => (
        <li key={notice.code + notice.message}>
          {notice.message}{' '}
          {notice.hint.includes('Provider keys') ? (
            <Link className="underline" to="/account" hash="provider-keys">
              {t('connect')}
            </Link>
          ) : (
            notice.hint
          )}
        </li>
      ))}
    </ul>
  )
}
