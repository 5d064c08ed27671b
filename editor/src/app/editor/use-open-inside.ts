import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '@/document/use-session'
import { flowQuery } from '@/lib/api/flows'
import { fetchFresh } from '@/lib/query-client'
import { sessionStore } from '@/lib/storage'
import { toastError } from '@/lib/toasts'

const NO_AGENTS: readonly string[] = []
const RUN_KEY = 'impasto.run.'

/**
 * Opens the agents that nodes run. The address names the agents from which each was opened (`?outer=`), so that the
 * way back survives a reload. Each agent shows the run again that it showed when it was left. Returns the nearest
 * outer agent, or null.
 */
export function useOpenInside() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const navigate = useNavigate({ from: '/flow/$flowId' })
  const path = useSearch({ from: '/flow/$flowId' }).outer ?? NO_AGENTS
  const nearest = path.at(-1)
  const { data } = useQuery({ ...flowQuery(nearest ?? ''), enabled: nearest !== undefined })
  const open = useCallback(
    async (flowId: string, outer: readonly string[]) => {
      try {
        await session.saver.save()
        // Both pages start from stored responses: the next one shows this document's ports, or its own document.
        await Promise.all([fetchFresh(flowQuery(session.flowId)), fetchFresh(flowQuery(flowId))])
        sessionStore.write(RUN_KEY + session.flowId, session.runner.store.getState().run?.id)
        const run = sessionStore.read<string>(RUN_KEY + flowId) ?? undefined
        await navigate({
          to: '/flow/$flowId',
          params: { flowId },
          search: { run, outer: outer.length > 0 ? [...outer] : undefined },
        })
      } catch (error) {
        toastError(t('menu.openInsideFailed'), error)
      }
    },
    [session, navigate, t],
  )
  useEffect(() => {
    session.openInside = (flowId) => void open(flowId, [...path, session.flowId])
    return () => {
      session.openInside = null
    }
  }, [session, open, path])
  const name = data?.name
  return useMemo(
    () => (nearest === undefined ? null : { name, open: () => void open(nearest, path.slice(0, -1)) }),
    [nearest, name, open, path],
  )
}
