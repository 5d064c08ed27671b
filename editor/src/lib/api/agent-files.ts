import type { ExportContents, FlowImported, MissingFromAgent } from '../api.gen/types.gen'
import { wasRejected } from '../attempt'
import { saveBlob } from '../files/download'
import { fileStem } from '../files/file-names'
import { randomId } from '../ids'
import { ApiError } from './error'
import { authorizedFetch } from './fetch'
import { refreshFlows } from './flows'
import { request } from './request'

// The generated client is one module, which the first page loads: these calls are made without it.

export type { ExportContents, FlowImported, MissingFromAgent }

const of = (id: string) => `/flows/${encodeURIComponent(id)}/export`

/** What the file of an exported agent carries, and what it does not. */
export function readExportContents(id: string): Promise<ExportContents> {
  return request<ExportContents>('GET', `${of(id)}/contents`)
}

/** Downloads the agent as a file that `importAgentFile` accepts: a zip if it has assets, otherwise JSON. */
export async function downloadAgent(id: string, name: string, signal?: AbortSignal): Promise<void> {
  const response = await authorizedFetch(`/api/v1${of(id)}/file`, { signal: signal ?? null })
  if (!response.ok) throw await ApiError.from(response)
  const isZip = response.headers.get('Content-Type')?.startsWith('application/zip')
  saveBlob(await response.blob(), `${fileStem(name)}.${isZip ? 'zip' : 'json'}`)
}

/** The idempotency keys of files that were sent and may be sent again. */
const keys = new WeakMap<File, string>()

/** Creates a draft from the file of an exported agent. Sending the same file again after a lost answer creates no other. */
export async function importAgentFile(file: File): Promise<FlowImported> {
  const body = new FormData()
  body.append('file', file)
  const idempotencyKey = keys.get(file) ?? randomId()
  keys.set(file, idempotencyKey)
  try {
    const imported = await request<FlowImported>('POST', '/flows/import/file', { body, idempotencyKey })
    keys.delete(file)
    await refreshFlows()
    return imported
  } catch (error) {
    if (wasRejected(error)) keys.delete(file)
    throw error
  }
}
