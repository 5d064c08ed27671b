import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Notice } from '@/lib/launch/estimate'
import type { Field } from '@/lib/launch/fields'
import { chipText, isAnswered, suggestionsOf } from '@/lib/launch/suggestions'
import { Button } from '../button'

type LaunchNoticesProps = {
  notices: readonly Notice[]
  fields: readonly Field[]
  onChange: (field: Field, value: unknown) => void
}

/** What the launch will not do as asked, each with what to do about it, or a chip that sets it. */
export default function LaunchNotices({ notices, fields, onChange }: LaunchNoticesProps) {
  const { t } = useTranslation('launch')
  if (notices.length === 0) return null
  const suggestions = suggestionsOf(notices, fields)
  return (
    <>
      {suggestions.map(({ step, changes }) => {
        const images = (count: number) => t('imageCount', { count })
        const wish = changes.map((change) => chipText(change, images)).join(', ')
        const group = changes[0]?.field.exposed?.group ?? ''
        return (
          <p key={step} className="mt-2.5 flex flex-wrap items-center gap-2 px-1.5 text-sm">
            <span className="text-muted">{t('asksFor', { group })}</span>
            <Button
              size="sm"
              aria-label={t('setTo', { group, wish })}
              onClick={() => {
                for (const { field, value } of changes) onChange(field, value)
              }}
            >
              {wish}
            </Button>
          </p>
        )
      })}
      <NoticeList notices={notices.filter((notice) => !isAnswered(notice, suggestions, fields))} />
    </>
  )
}

/** What a run will not do as asked, each with what to do about it. */
export function NoticeList({ notices }: { notices: readonly Notice[] }) {
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
