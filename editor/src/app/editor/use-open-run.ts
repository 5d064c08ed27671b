import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showRunOrComparison } from '@/document/comparison'
import { ForeignRunError } from '@/document/runner'
import type { Session } from '@/document/session'
import { useRunner, useSession } from '@/document/use-session'
import { runsQuery } from '@/lib/api/runs'
import { isOver } from '@/lib/run/types'
import { toast, toastError } from '@/lib/toasts'

/**
 * The address names the run on the canvas (`?run=`), so that reload, links and Back restore it. Without one, the
 * current run is shown.
 */
export function useOpenRun(flowId: string) {
  const session = useSession()
  const urlRunId = useSearch({ from: '/flow/$flowId' }).run ?? null
  useOpenRunFromUrl(session, urlRunId)
  useWriteRunToUrl(urlRunId)
  useResumeActiveRun(session, flowId, urlRunId === null)
}

function useOpenRunFromUrl(session: Session, wanted: string | null) {
  const { t } = useTranslation('canvas')
  const navigate = useNavigate({ from: '/flow/$flowId' })
  useEffect(() => {
    if (wanted === shownBy(session)) return
    if (wanted === null) return session.runner.clear()
    showRunOrComparison(session, wanted).catch((error: unknown) => {
      if (error instanceof ForeignRunError) toast({ title: error.message, tone: 'error' })
      else toastError(t('run.failedToOpen'), error)
      void navigate({ search: ({ run: _, ...rest }) => rest, replace: true })
    })
  }, [wanted, session, navigate, t])
}

function useWriteRunToUrl(wanted: string | null) {
  const navigate = useNavigate({ from: '/flow/$flowId' })
  const shown = useRunner((state) => state.run?.id ?? null)
  const last = useRef({ shown, wanted })
  useEffect(() => {
    last.current.wanted = wanted
  }, [wanted])
  useEffect(() => {
    if (shown === last.current.shown) return
    last.current.shown = shown
    if (shown !== last.current.wanted) {
      void navigate({ search: (search) => ({ ...search, run: shown ?? undefined }), replace: true })
    }
  }, [shown, navigate])
}

function useResumeActiveRun(session: Session, flowId: string, enabled: boolean) {
  const looked = useRef(!enabled)
  const { data } = useQuery({ ...runsQuery({ flowId }), enabled: enabled && !looked.current })
  useEffect(() => {
    if (!data || looked.current) return
    looked.current = true
    const going = data.items.find((run) => !isOver(run.status) && !run.comparison)
    if (going && shownBy(session) === null) session.runner.open(going.id).catch(() => undefined)
  }, [data, session])
}

function shownBy(session: Session): string | null {
  return session.runner.store.getState().run?.id ?? null
}
