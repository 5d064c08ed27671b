import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { OwnAgent } from '@/components/agent/own-agent'
import type { Session } from '@/document/session'
import { keepUndoSteps } from '@/document/undo-history'
import { closeToastWithUndo } from '@/document/undo-toast'
import { SessionContext } from '@/document/use-session'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import { type NodesAnswer, nodesQuery } from '@/lib/api/nodes'
import { useTitle } from '@/lib/browser-hooks'
import { useUnsavedWork } from '@/lib/unsaved-work'
import { NotFoundPage } from '../not-found-page'
import { BarPlaceholder, EditorLayout, PanelPlaceholders } from './editor-layout'
import { takeEntered } from './flow-loader'
import { openSession } from './open-session'

/** `/flow/{flowId}`: one agent on the canvas. */
export function EditorPage({ flowId }: { flowId: string }) {
  const { t } = useTranslation('canvas')
  const [since] = useState(() => takeEntered(flowId))
  const flow = useQuery({
    ...flowQuery(flowId),
    staleTime: 0,
    refetchOnMount: ({ state }) => state.dataUpdatedAt < since,
  })
  const nodes = useQuery(nodesQuery())
  // A session keeps the document that it was opened with, and a cached one may be older than the last edits.
  const [isCurrent, setCurrent] = useState(false)
  const isFetched = flow.isFetchedAfterMount || flow.dataUpdatedAt >= since
  if (!isCurrent && (isFetched || flow.fetchStatus === 'paused')) setCurrent(true)
  // The canvas is rendered in slices, between which the page answers.
  const isShown = useDeferredValue(Boolean(flow.data && nodes.data && isCurrent), false)
  useTitle(flow.data?.name ?? t('loading'))
  if (flow.error && !flow.data) {
    if ('status' in flow.error && flow.error.status === 404) return <NotFoundPage />
    throw flow.error
  }
  if (nodes.error && !nodes.data) throw nodes.error
  if (!flow.data || !nodes.data || !isCurrent || !isShown) return <Opening words={t('loading')} />
  return <EditorSession flow={flow.data} nodes={nodes.data} />
}

/** Shows the empty canvas while the agent loads. */
function Opening({ words }: { words: string }) {
  return (
    <main aria-busy="true" className="fixed inset-0 bg-paper">
      <p role="status" className="sr-only">
        {words}
      </p>
      <BarPlaceholder />
      <PanelPlaceholders />
    </main>
  )
}

/** Opens one session for the agent while the page is mounted; later responses only update name and status. */
export function EditorSession({ flow, nodes }: { flow: FlowDetail; nodes: NodesAnswer }) {
  const [session] = useState(() => openSession(flow, nodes))
  useEffect(() => {
    session.begin()
    return () => {
      void session.saver.save()
      keepUndoSteps(session.flowId, session.flow)
      closeToastWithUndo(session)
      session.stop()
    }
  }, [session])
  useSaveOnLeave(session)
  return (
    <SessionContext value={session}>
      <OwnAgent value={session.flowId}>
        <EditorLayout flow={flow} />
      </OwnAgent>
    </SessionContext>
  )
}

/** Before the page is left: stores unsaved work, sends it if possible, and retries when online again. */
export function useSaveOnLeave(session: Session) {
  const status = useStore(session.saver.store, (state) => state.status)
  useUnsavedWork(status === 'failed' || status === 'conflict')
  useEffect(() => {
    const leave = () => {
      session.saver.saveRecovery()
      keepUndoSteps(session.flowId, session.flow)
      if (session.saver.isDirty) void session.saver.save({ leaving: true })
    }
    const hide = () => {
      if (document.visibilityState === 'hidden' && session.saver.isDirty) void session.saver.save()
    }
    const online = () => void session.saver.save()
    window.addEventListener('pagehide', leave)
    window.addEventListener('online', online)
    document.addEventListener('visibilitychange', hide)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('online', online)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [session])
}
