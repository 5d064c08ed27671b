import '@/lib/i18n/credentials'
import { traceFile } from '@/lib/api/asset-files'
import type { Trace } from '@/lib/api/assets'
import { sendInTurn } from '@/lib/api/uploads'
import { i18n } from '@/lib/i18n'
import { toast } from '@/lib/toasts'

/** A file with what the server found out about it. */
export type Report = { name: string; trace: Trace }

type Actions = { open: (trace: Trace) => void; onDetails: ((report: Report) => void) | undefined }

const t = i18n.getFixedT(null, 'credentials')

/** Asks the server how a file was made and shows it in a toast; returns whether an agent made it. */
export async function showProvenance(file: File, { open, onDetails }: Actions): Promise<boolean> {
  // Without provenance, or if the server fails, the file is used as an ordinary image.
  const trace = await sendInTurn(() => traceFile(file)).catch(() => null)
  if (!trace) return false
  const details = onDetails && {
    label: t('provenance.details'),
    onPress: () => onDetails({ name: file.name, trace }),
  }
  const opening = trace.can_open ? { label: t('provenance.open'), onPress: () => open(trace) } : undefined
  const known = trace.found ? madeWith(trace) : knownOf(trace)
  if (known && (trace.found || details)) toast({ ...known, action: details ?? opening })
  return trace.found
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
