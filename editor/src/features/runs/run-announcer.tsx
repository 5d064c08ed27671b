import { useTranslation } from 'react-i18next'
import { isOver, type RunStatus } from '@/lib/run/types'

type RunAnnouncerProps = { name: string; status: RunStatus; ready: number; of: number }

/** Tells the run's progress to whoever does not see the tiles. */
export function RunAnnouncer({ name, status, ready, of }: RunAnnouncerProps) {
  const { t } = useTranslation('runs')
  const words = isOver(status)
    ? t(`announce.${endOf(status)}`, { agent: name })
    : t('announce.running', { agent: name, done: ready, total: of })
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}

function endOf(status: RunStatus): 'finished' | 'failed' | 'cancelled' {
  return status === 'failed' || status === 'cancelled' ? status : 'finished'
}
