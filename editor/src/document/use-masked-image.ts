import type { FlowNode } from '@/graph/document'
import { imageInto } from './mask-actions'
import { useDocument, useLive, useSession } from './use-session'

/**
 * The asset id of the image that a node changes, on which its mask is painted; null while it is not known. Undefined for a
 * setting that is no mask, and for a node that takes no image.
 */
export function useMaskedImage(node: FlowNode, isMask: boolean): string | null | undefined {
  const session = useSession()
  const read = () => {
    const image = isMask ? imageInto(session, node) : undefined
    return image ? image.asset_id : image
  }
  // The image changes with the document and with the run.
  useDocument(read)
  return useLive(read)
}
