import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Trace, traceFile } from '@/lib/api/assets'
import { toast } from '@/lib/toasts'

/** Media types that an agent can have made. */
const MEDIA = /^(image|video|audio)\//

/** Offers to open the agent that made a dropped file, if the file names one; returns whether it does. */
export function useProvenance(): (files: readonly File[]) => Promise<boolean> {
  const { t } = useTranslation('launch')
  const navigate = useNavigate()
  function open({ run_id, flow_id }: Trace) {
    if (run_id) return void navigate({ to: '/run/$runId', params: { runId: run_id } })
    if (flow_id) void navigate({ to: '/flow/$flowId', params: { flowId: flow_id } })
  }
  async function look(file: File) {
    // Without provenance, or if the server fails, the file is used as an ordinary image.
    const trace = await traceFile(file).catch(() => null)
    if (!trace?.found) return false
    toast({
      title: trace.flow_name ? t('provenance.title', { name: trace.flow_name }) : t('provenance.unknown'),
      description: trace.made_by?.prompt ?? undefined,
      action: trace.can_open ? { label: t('provenance.open'), onPress: () => open(trace) } : undefined,
    })
    return true
  }
  return async (files) => {
    const [first] = files
    return files.length === 1 && first !== undefined && MEDIA.test(first.type) && look(first)
  }
}
