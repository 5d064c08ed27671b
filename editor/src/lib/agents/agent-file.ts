import {
  downloadAgent,
  type FlowImported,
  importAgentFile,
  type MissingFromAgent,
  readExportContents,
} from '../api/agent-files'
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

/** Downloads the agent with its assets; what the file does not have is named before. */
export async function exportAgent(id: string, name: string): Promise<void> {
  const { missing } = await readExportContents(id)
  if (missing.length > 0) {
    toast({
      title: i18n.t('agents:exportedWithout', { count: missing.length }),
      description: namesOf(missing),
      duration: READING_MS,
    })
  }
  await downloadAgent(id, name)
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

const isZip = ({ name, type }: File) => type.includes('zip') || name.toLowerCase().endsWith('.zip')

async function requireObject(file: File): Promise<void> {
  try {
    const document: unknown = JSON.parse(await file.text())
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return
  } catch {
    // Falls through to the error for a file that is not an agent.
  }
  throw new InvalidAgentFileError(file.name, 'not_json')
}
