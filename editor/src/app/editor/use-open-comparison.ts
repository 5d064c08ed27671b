import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { showRunOrComparison } from '@/document/comparison'
import { useSession, useView } from '@/document/use-session'
import { runsQuery } from '@/lib/api/runs'
import { isOver } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'

/**
 * The address names the comparison that is shown (`?compare=`), so that a reload shows it again. Without one, a
 * comparison that runs, started in a tab that was closed, is followed and not opened.
 */
export function useOpenComparison() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const navigate = useNavigate({ from: '/flow/$flowId' })
  const wanted = useSearch({ from: '/flow/$flowId' }).compare ?? null
  const isOpen = useView((view) => view.comparing?.shows === 'run')
  const run = useStore(session.comparer.store, (state) => state.run?.id ?? null)
  const shown = isOpen ? run : null
  const first = useRef(wanted)
  useEffect(() => {
    const id = first.current
    first.current = null
    if (!id) return
    showRunOrComparison(session, id).catch((error: unknown) => {
      toastError(t('run.failedToOpen'), error)
      void navigate({ search: ({ compare: _, ...rest }) => rest, replace: true })
    })
  }, [session, navigate, t])
  useFollowLive(wanted === null)
  const last = useRef(shown)
  useEffect(() => {
    if (shown === last.current) return
    last.current = shown
    void navigate({ search: (search) => ({ ...search, compare: shown ?? undefined }), replace: true })
  }, [shown, navigate])
}

function useFollowLive(enabled: boolean) {
  const session = useSession()
  const looked = useRef(!enabled)
  const { data } = useQuery({ ...runsQuery({ flowId: session.flowId }), enabled: enabled && !looked.current })
  useEffect(() => {
    if (!data || looked.current) return
    looked.current = true
    const going = data.items.find((run) => !isOver(run.status) && run.comparison)
    if (going && session.comparer.store.getState().run === null) {
      session.comparer.open(going.id).catch(() => undefined)
    }
  }, [data, session])
}
