import { useEffect, useState } from 'react'
import { SessionContext } from '@/document/use-session'
import type { FlowDetail } from '@/lib/api/flows'
import type { NodesAnswer } from '@/lib/api/nodes'
import { EditorLayout } from './editor-layout'
import { openSession } from './open-session'
import { useSaveOnLeave } from './use-save-on-leave'

/** Opens a session for the agent once and keeps it while the page stays; later answers only renew names and status. */
export function EditorSession({ flow, nodes }: { flow: FlowDetail; nodes: NodesAnswer }) {
  const [session] = useState(() => openSession(flow, nodes))
  useEffect(() => {
    session.begin()
    return () => {
      void session.saver.save()
      session.stop()
    }
  }, [session])
  useSaveOnLeave(session)
  return (
    <SessionContext value={session}>
      <EditorLayout flow={flow} />
    </SessionContext>
  )
}
