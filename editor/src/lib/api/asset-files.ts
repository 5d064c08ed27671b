import { assetsTrace } from '../api.gen/sdk.gen'
import type { Asset, Trace } from './assets'
import { unwrap } from './request'

/** Reads the provenance that is embedded in a file. */
export function traceFile(file: File): Promise<Trace> {
  return unwrap(assetsTrace({ body: { file }, throwOnError: true }))
}

/** Downloads the bytes of an asset from its signed URL. */
export function assetBytes(asset: Pick<Asset, 'url'>): Promise<Uint8Array<ArrayBuffer>> {
  return bytesAt(asset.url)
}

type Exported = Pick<Asset, 'url' | 'export_url' | 'credentials_url'>

/** The signed URL of the file to pass on: with a visible AI mark if the agent's builder wants one. */
export function exportUrl({ url, export_url: marked }: Exported): string {
  return marked ?? url
}

/** Downloads the file of an asset to pass on, and its content credentials if they are a file of their own. */
export async function exportAsset(
  asset: Exported,
): Promise<{ data: Uint8Array<ArrayBuffer>; sidecar: Uint8Array<ArrayBuffer> | null }> {
  const { credentials_url: sidecar } = asset
  const [data, beside] = await Promise.all([bytesAt(exportUrl(asset)), sidecar ? bytesAt(sidecar) : null])
  return { data, sidecar: beside }
}

async function bytesAt(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The asset answered ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}
