import { LazyMaskDialog } from '@/components/mask/lazy-mask'
import { maskValue } from '@/components/mask/mask-value'
import { addMaskedEdit } from '@/document/mask-actions'
import { useSession, useView } from '@/document/use-session'

/** Paints a mask on an image of the canvas, and adds the node that changes the masked part. */
export function MaskPanel() {
  const session = useSession()
  const source = useView((view) => view.masking)
  if (!source) return null
  const close = () => session.view.setState({ masking: null })
  return (
    <LazyMaskDialog
      key={source.image.asset_id}
      imageId={source.image.asset_id}
      onCancel={close}
      onMask={(mask) => {
        close()
        addMaskedEdit(session, source, maskValue(mask))
      }}
    />
  )
}
