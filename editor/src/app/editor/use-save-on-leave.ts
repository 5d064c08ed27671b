import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Session } from '@/document/session'
import { useUnsavedWork } from '@/lib/unsaved-work'

/** Nobody leaves without their work: it is shelved at once, sent if it can be, and tried again when the net is back. */
export function useSaveOnLeave(session: Session) {
  const status = useStore(session.saver.store, (state) => state.status)
  useUnsavedWork(status === 'failed' || status === 'conflict')
  useEffect(() => {
    const leave = () => {
      session.saver.saveRecovery()
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
