import { useParams, useSearch } from '@tanstack/react-router'
import { RunPage } from '@/features/runs'

export function RunRoutePage() {
  const { runId } = useParams({ from: '/signed-in/run/$runId' })
  const { relaunch } = useSearch({ from: '/signed-in/run/$runId' })
  return <RunPage key={runId} runId={runId} relaunch={relaunch === true} />
}
