import type { ExportContents, FlowImported, MissingFromAgent } from '../api.gen/types.gen'
import { saveBlob } from '../files/download'
import { fileStem } from '../files/file-names'
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
export async function downloadAgent(id: string, name: string): Promise<void> {
  const response = await authorizedFetch(`/api/v1${of(id)}/file`)
  if (!response.ok) throw await ApiError.from(response)
  const isZip = response.headers.get('Content-Type')?.startsWith('application/zip')
  saveBlob(await response.blob(), `${fileStem(name)}.${isZip ? 'zip' : 'json'}`)
}

/** Creates a draft from the file of an exported agent. */
export async function importAgentFile(file: File): Promise<FlowImported> {
  const body = new FormData()
  body.append('file', file)
  const imported = await request<FlowImported>('POST', '/flows/import/file', { body })
  await refreshFlows()
  return imported
}
