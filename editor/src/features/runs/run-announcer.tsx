import { useTranslation } from 'react-i18next'
import { isOver, type RunStatus } from '@/lib/run/types'

type RunNewsProps = { name: string; status: RunStatus; ready: number; of: number }

/** Tells the run's progress to whoever does not see the tiles. */
export function RunNews({ name, status, ready, of }: RunNewsProps) {
  const { t } = useTranslation('runs')
  const words = isOver(status)
    ? t(`announce.${over(status)}`, { agent: name })
    : t('announce.running', { agent: name, done: ready, total: of })
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}

function over(status: RunStatus): 'finished' | 'failed' | 'cancelled' {
  return status === 'failed' || status === 'cancelled' ? status : 'finished'
}
