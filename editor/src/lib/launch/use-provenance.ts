import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Trace, traceFile } from '@/lib/api/assets'
import { toast } from '@/lib/toasts'

/** Media types that an agent can have made. */
const MEDIA = /^(image|video|audio)\//

/** A file with what the server found out about it. */
export type Report = { name: string; trace: Trace }

/**
 * Tells which agent made a dropped file, if the file names one; returns whether it does. With `onDetails`, offers
 * its credentials, those of other files, and similar images of the library; without it, to open the agent.
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
    if (!trace) return false
    const details = onDetails && {
      label: t('provenance.details'),
      onPress: () => onDetails({ name: file.name, trace }),
    }
    const known = trace.found ? madeWith(trace) : knownOf(trace)
    if (known && (trace.found || details)) toast({ ...known, action: details ?? openingOf(trace) })
    return trace.found
  }
  function openingOf(trace: Trace) {
    return trace.can_open ? { label: t('provenance.open'), onPress: () => open(trace) } : undefined
  }
  function madeWith({ flow_name: name, made_by: made }: Trace) {
    const title = name ? t('provenance.title', { name }) : t('provenance.unknown')
    return { title, description: made?.prompt ?? undefined }
  }
  /** What is known of a file that no agent names: its signer, its watermark, or a similar image. */
  function knownOf({ credentials, watermark, matches }: Trace) {
    if (credentials) {
      const name = credentials.organization ?? credentials.signer
      return {
        title: t('provenance.signed'),
        description: name ? t('provenance.signedBy', { name }) : undefined,
      }
    }
    if (watermark) return { title: t('provenance.watermark'), description: undefined }
    const [match] = matches ?? []
    return match && { title: t('provenance.similar'), description: match.asset.name }
  }
  return async (files) => {
    const [first] = files
    return files.length === 1 && first !== undefined && MEDIA.test(first.type) && look(first)
  }
}
