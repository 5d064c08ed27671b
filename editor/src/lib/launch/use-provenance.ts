import { useNavigate } from '@tanstack/react-router'
import type { Trace } from '@/lib/api/assets'
import type { Report } from './provenance-toast'

/** Media types that an agent can have made. */
const MEDIA = /^(image|video|audio)\//

/**
 * Tells which agent made a dropped file, if the file names one; returns whether it does. With `onDetails`, offers
 * its credentials, those of other files, and similar images of the library; without it, to open the agent.
 */
export function useProvenance(
  onDetails?: (report: Report) => void,
): (files: readonly File[]) => Promise<boolean> {
  const navigate = useNavigate()
  function open({ run_id, flow_id }: Trace) {
    if (run_id) return void navigate({ to: '/run/$runId', params: { runId: run_id } })
    if (flow_id) void navigate({ to: '/flow/$flowId', params: { flowId: flow_id } })
  }
  return async (files) => {
    const [first] = files
    if (files.length !== 1 || first === undefined || !MEDIA.test(first.type)) return false
    const { showProvenance } = await import('./provenance-toast')
    return showProvenance(first, { open, onDetails })
  }
}
