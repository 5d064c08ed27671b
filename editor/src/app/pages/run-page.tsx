import { useParams } from '@tanstack/react-router'
import { RunPage } from '@/features/runs'

export function RunRoutePage() {
  const { runId } = useParams({ from: '/signed-in/run/$runId' })
  return <RunPage key={runId} runId={runId} />
}
