import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Trace, traceFile } from '@/lib/api/assets'
import { toast } from '@/lib/toasts'

/** Media types that an agent can have made. */
const MEDIA = /^(image|video|audio)\//

/** A file with what the server found out about it. */
export type Report = { name: string; trace: Trace }

/**
 * Offers to open the agent that made a dropped file, if the file names one; returns whether it does. With
 * `onDetails`, also offers the credentials of other files, and similar images of the library.
 */
export function useProvenance(
  onDetails?: (report: Report) => void,
): (files: readonly File[]) => Promise<boolean> {
  const { t } = useTranslation('launch')
  const navigate = useNavigate()
  function open({ run_id, flow_id }: Trace) {
    if (run_id) return void navigate({ to: '/run/$runId', params: { runId: run_id } })
    if (flow_id) void navigate({ to: '/flow/$flowId', params: { flowId: flow_id } })
  }
  async function look(file: File) {
    // Without provenance, or if the server fails, the file is used as an ordinary image.
    const trace = await traceFile(file).catch(() => null)
    if (!trace?.found) {
      if (trace && onDetails) offerDetails({ name: file.name, trace }, onDetails)
      return false
    }
    toast({
      title: trace.flow_name ? t('provenance.title', { name: trace.flow_name }) : t('provenance.unknown'),
      description: trace.made_by?.prompt ?? undefined,
      action: trace.can_open ? { label: t('provenance.open'), onPress: () => open(trace) } : undefined,
    })
    return true
  }
  function offerDetails(report: Report, show: (report: Report) => void) {
    const { credentials, matches } = report.trace
    if (!credentials && !matches?.length) return
    const signer = credentials?.organization ?? credentials?.signer
    toast({
      title: t(credentials ? 'provenance.signed' : 'provenance.similar'),
      description: signer ? t('provenance.signedBy', { name: signer }) : matches?.[0]?.asset.name,
      action: { label: t('provenance.details'), onPress: () => show(report) },
    })
  }
  return async (files) => {
    const [first] = files
    return files.length === 1 && first !== undefined && MEDIA.test(first.type) && look(first)
  }
}
