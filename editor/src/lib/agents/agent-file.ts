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
const READING_MS = 15_000
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
export function toastImportFailed(error: unknown, again: () => void): void {
  const title = i18n.t('agents:importFailed')
  if (error instanceof InvalidAgentFileError) {
    const words = error.reason === 'too_big' ? 'agents:importTooLarge' : 'agents:importNotJson'
    toast({ title, description: i18n.t(words, { name: error.file }), tone: 'error' })
    return
  }
  toast({
    title,
    description: messageOf(error),
    tone: 'error',
    ...(!wasRejected(error) && {
      duration: Number.POSITIVE_INFINITY,
      action: { label: i18n.t('agents:importAgain'), onPress: again },
    }),
  })
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
