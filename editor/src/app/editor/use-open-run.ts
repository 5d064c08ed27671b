import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useRunner, useSession } from '@/document/use-session'
import { runsQuery } from '@/lib/api/runs'
import { passing } from '@/lib/storage'

const KEY = 'impasto.run.'

/** A run that is still going, or that this tab was looking at, is there again after a reload, live. */
export function useOpenRun(flowId: string) {
  const session = useSession()
  const looked = useRef(false)
  const { data } = useQuery({ ...runsQuery({ flowId }), enabled: !looked.current })
  const shown = useRunner((state) => state.run?.id ?? null)
  useEffect(() => {
    if (looked.current) passing.write(KEY + flowId, shown)
  }, [shown, flowId])
  useEffect(() => {
    if (!data || looked.current) return
    looked.current = true
    const going = data.items.find((run) => run.status === 'running' || run.status === 'queued')?.id
    const wanted = going ?? passing.read<string>(KEY + flowId)
    if (wanted && !session.runner.store.getState().run) session.runner.open(wanted).catch(() => undefined)
  }, [data, flowId, session])
}
