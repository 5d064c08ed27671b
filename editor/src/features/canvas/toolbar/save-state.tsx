import { CloudAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useSaving, useSession } from '@/document/use-session'
import { ago } from '@/lib/format'

const TICK_MS = 5000

/** For example 'Saved 12 s ago', or the reason why the draft is not saved. */
export function SaveState() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const status = useSaving((state) => state.status)
  const savedAt = useSaving((state) => state.savedAt)
  const error = useSaving((state) => state.error)
  const now = useNow(status === 'saved')
  if (!session.canEdit)
    return <span className="whitespace-nowrap text-muted text-xs">{t('toolbar.readOnly')}</span>
  if (status === 'conflict') {
    return (
      <Button
        size="sm"
        className="text-ochre-text"
        onClick={() => session.view.setState({ hasPendingConflict: false })}
      >
        <CloudAlert />
        {t('conflict.resolve')}
      </Button>
    )
  }
  const bad = status === 'offline' || status === 'failed'
  const words =
    status === 'saved'
      ? savedAt
        ? t('save.saved', { when: ago(savedAt, now) })
        : t('save.clean')
      : t(`save.${status}`)
  return (
    <span
      role="status"
      // Screen readers announce problems only, not every save.
      aria-live={bad ? 'polite' : 'off'}
      title={error ?? undefined}
      className="flex items-center gap-1.5 whitespace-nowrap text-muted text-xs"
    >
      {bad && <CloudAlert aria-hidden className="size-4 text-ochre-text" />}
      {words}
    </span>
  )
}

function useNow(ticking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (!ticking) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [ticking])
  return now
}
