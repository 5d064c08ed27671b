import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { isOver } from '@/lib/run/types'
import { toast } from '@/lib/toasts'
import { useComparer, useComparisonRun } from './use-comparer'

/** Tells that a comparison has ended while its dialog is closed, with a way to its results. */
export function ComparisonEnded() {
  const { t } = useTranslation('compare')
  const session = useSession()
  const id = useComparer((state) => state.run?.id)
  const over = useComparisonRun((live) => isOver(live.status))
  const running = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (!over) running.current = id
    if (!over || running.current !== id) return
    running.current = undefined
    const comparison = session.comparer.store.getState().run?.comparison
    if (!comparison || session.view.getState().comparing?.shows === 'run') return
    const { node, steps, title } = comparison
    const live = session.comparer.live.getState()
    const done = steps.filter((step) => stepOfNode(live, step)?.status === 'finished').length
    toast({
      title: t('ended', { title, done, all: steps.length }),
      duration: 15_000,
      action: {
        label: t('show'),
        onPress: () => session.view.setState({ comparing: { node, shows: 'run' }, dialog: null }),
      },
    })
  }, [over, id, session, t])
  return null
}
