import {
  downloadAgent,
  type FlowImported,
  importAgentFile,
  type MissingFromAgent,
  readExportContents,
} from '../api/agent-files'
import { messageOf } from '../api/error'
import { wasRejected } from '../attempt'
import { bytes } from '../format'
import { i18n } from '../i18n'
import { toast } from '../toasts'

const MAX_NAMED = 5
/** How long a message with names stays. */
export const READING_MS = 15_000
const MAX_JSON_BYTES = 2 * 1024 * 1024

export class InvalidAgentFileError extends Error {
  override readonly name = 'InvalidAgentFile'
  constructor(
    readonly file: string,
    readonly reason: 'too_big' | 'not_json',
  ) {
    super(`${file} is not an agent file: ${reason}.`)
  }
}

/** Shows the size of the agent's assets and what the file will not contain, then downloads the agent with them. */
export async function exportAgent(id: string, name: string): Promise<void> {
  const { files, bytes: size, missing } = await readExportContents(id)
  const stopping = new AbortController()
  const lacks = missing.length > 0 ? i18n.t('agents:exportedWithout', { count: missing.length }) : ''
  const named = missing.length > 0 ? namesOf(missing) : undefined
  if (files.length > 0) {
    toast({
      title: i18n.t('agents:exporting', { count: files.length, size: bytes(size) }),
      description: lacks && `${lacks}: ${named}`,
      duration: READING_MS,
      action: { label: i18n.t('agents:exportCancel'), onPress: () => stopping.abort() },
    })
  } else if (lacks) toast({ title: lacks, description: named, duration: READING_MS })
  try {
    await downloadAgent(id, name, stopping.signal)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
}

/** Whether a file may be an exported agent with its assets. */
export const isZip = ({ name, type }: File) => type.includes('zip') || name.toLowerCase().endsWith('.zip')

/** Shows that a file is being sent, with its size: a large one takes minutes. */
export function announceImport(file: File): void {
  if (isZip(file))
    toast({
      title: i18n.t('agents:importing', { name: file.name, size: bytes(file.size) }),
      duration: READING_MS,
    })
}

/** Shows why a file was not imported. If the answer was lost, it can be sent again. */
export function toastImportFailed(error: unknown, file: File, again: () => void): void {
  toast({
    title: i18n.t('agents:importFailed', { name: file.name }),
    description: reasonOf(error),
    tone: 'error',
    duration: READING_MS,
    ...(wasLost(error) && {
      duration: Number.POSITIVE_INFINITY,
      action: { label: i18n.t('agents:importAgain'), onPress: again },
    }),
  })
}

/** Shows in one message what became of several files. Those whose answers were lost can be sent again. */
export function toastSeveralImported(
  imported: readonly FlowImported[],
  failures: readonly { readonly file: File; readonly error: unknown }[],
  again: (files: readonly File[]) => void,
): void {
  const count = imported.length
  const all = count + failures.length
  const lost = failures.filter(({ error }) => wasLost(error)).map(({ file }) => file)
  const without = imported
    .filter(({ missing }) => missing.length > 0)
    .map(({ flow, missing }) =>
      i18n.t('agents:lacking', { name: flow.name, count: missing.length, parts: namesOf(missing) }),
    )
  const refused = failures.map(({ file, error }) => `${file.name}: ${reasonOf(error)}`)
  const reasons = [...refused, ...without]
  toast({
    title: i18n.t(failures.length > 0 ? 'agents:importedSome' : 'agents:importedAll', { count, all }),
    description:
      reasons.length > 0
        ? reasons.slice(0, MAX_NAMED).join(' ') + (reasons.length > MAX_NAMED ? ' …' : '')
        : undefined,
    tone: failures.length > 0 ? 'error' : without.length > 0 ? 'plain' : 'success',
    duration: lost.length > 0 ? Number.POSITIVE_INFINITY : READING_MS,
    ...(lost.length > 0 && {
      action: { label: i18n.t('agents:importAgain'), onPress: () => again(lost) },
    }),
  })
}

/** Whether it is not known if the server has imported the file. */
const wasLost = (error: unknown) => !(error instanceof InvalidAgentFileError) && !wasRejected(error)

function reasonOf(error: unknown): string {
  if (!(error instanceof InvalidAgentFileError)) return messageOf(error)
  const words = error.reason === 'too_big' ? 'agents:importTooLarge' : 'agents:importNotJson'
  return i18n.t(words)
}

/** Creates a draft from a zip or a flow document; the server checks all but that a document is JSON. */
export async function importAgent(file: File): Promise<FlowImported> {
  if (!isZip(file)) {
    if (file.size > MAX_JSON_BYTES) throw new InvalidAgentFileError(file.name, 'too_big')
    await requireObject(file)
  }
  return importAgentFile(file)
}

/** The names of missing parts with the nodes that use them, for a message. */
export function namesOf(missing: readonly MissingFromAgent[]): string {
  const names = missing.slice(0, MAX_NAMED).map(({ kind, name, nodes }) => {
    const label = name || i18n.t(`agents:missing.${kind}`)
    return nodes.length > 0 ? i18n.t('agents:missing.in', { name: label, nodes: nodes.join(', ') }) : label
  })
  return names.join('; ') + (missing.length > MAX_NAMED ? '; …' : '')
}

async function requireObject(file: File): Promise<void> {
  try {
    const document: unknown = JSON.parse(await file.text())
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return
  } catch {
    // Falls through to the error for a file that is not an agent.
  }
  throw new InvalidAgentFileError(file.name, 'not_json')
}
